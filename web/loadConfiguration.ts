import { type ClientConfiguration, getConfiguration } from "../core/contract/configuration.ts";
import type { Failure } from "../core/kernel/failure.ts";
import type { Ports } from "../core/ports/ports.ts";
import { makeCall } from "../core/requests/call.ts";
import { withAddress, withJson } from "../core/requests/identity.ts";
import { defaultTimeoutMs, withTimeout } from "../core/requests/timeout.ts";

type Outcome =
  | { readonly _tag: "Right"; readonly right: ClientConfiguration }
  | { readonly _tag: "Left"; readonly left: Failure };

/** Asks the server what it is called and what it can do. */
export const loadConfiguration = (
  { http, clock }: Pick<Ports, "http" | "clock">,
  baseAddress: string,
): Promise<Outcome> => {
  const wire = withTimeout(clock, defaultTimeoutMs)(withAddress(baseAddress)(http));
  return makeCall(withJson(wire))(getConfiguration)()();
};
