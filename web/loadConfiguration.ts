import { ClientConfiguration, getConfiguration } from "../core/contract/configuration.ts";
import type { Failure } from "../core/kernel/failure.ts";
import type { Ports } from "../core/ports/ports.ts";
import { makeCall } from "../core/requests/call.ts";
import { withAddress, withJson } from "../core/requests/identity.ts";
import { defaultTimeoutMs, withTimeout } from "../core/requests/timeout.ts";
import { makeStore } from "../core/storage/store.ts";
import { json } from "../core/storage/storedCodecs.ts";
import { storedKeys } from "../core/storage/storedKeys.ts";

type Outcome =
  | { readonly _tag: "Right"; readonly right: ClientConfiguration }
  | { readonly _tag: "Left"; readonly left: Failure };

/** Whoever has been here before is not kept waiting for a network that says nothing. */
const patienceMs = 3_000;

/**
 * Asks the server what it is called and what it can do. Without an answer it is what it was the last time, so that the
 * page opens without a network.
 */
export const loadConfiguration = async (
  { http, clock, storage }: Pick<Ports, "http" | "clock" | "storage">,
  baseAddress: string,
): Promise<Outcome> => {
  const stored = makeStore(storage).of(storedKeys.cachedConfiguration, json(ClientConfiguration));
  const known = stored.read();
  const wire = withTimeout(clock, known ? patienceMs : defaultTimeoutMs)(withAddress(baseAddress)(http));
  const outcome = await makeCall(withJson(wire))(getConfiguration)()();
  if (outcome._tag === "Right") stored.write(outcome.right);
  return outcome._tag === "Left" && known ? { _tag: "Right", right: known } : outcome;
};
