import { defaultTimeoutMs, withBaseAddress, withJson, withTimeout } from "../../core/api/basicMiddleware.ts";
import { createCall } from "../../core/api/call.ts";
import { ClientConfiguration, getConfiguration } from "../../core/api/configuration.ts";
import type { Failure } from "../../core/kernel/failure.ts";
import type { Ports } from "../../core/ports/ports.ts";
import { createStore, json } from "../../core/storage/store.ts";
import { storedKeys } from "../../core/storage/storedKeys.ts";
import { pathOf } from "../navigation/baseAddress.ts";

type ConfigurationResult =
  | { readonly _tag: "Right"; readonly right: ClientConfiguration }
  | { readonly _tag: "Left"; readonly left: Failure };

/** The time to wait for the server when a cached configuration exists. */
const cachedTimeoutMs = 3_000;

/**
 * Returns the server's configuration (brand and features): the one in the page, as JSON, else one that it requests, or the cached one when
 * there is no network. A page for another server requests it there.
 */
export const loadConfiguration = async (
  { http, clock, storage }: Pick<Ports, "http" | "clock" | "storage">,
  baseAddress: string,
  inPage = "",
): Promise<ConfigurationResult> => {
  const known = json(ClientConfiguration).decode(inPage);
  if (known._tag === "Right" && pathOf(baseAddress) === baseAddress) return known;
  const stored = createStore(storage).get(storedKeys.cachedConfiguration, json(ClientConfiguration));
  const cached = stored.read();
  const wire = withTimeout(
    clock,
    cached ? cachedTimeoutMs : defaultTimeoutMs,
  )(withBaseAddress(baseAddress)(http));
  const result = await createCall(withJson(wire))(getConfiguration)()();
  if (result._tag === "Right") stored.write(result.right);
  return result._tag === "Left" && cached ? { _tag: "Right", right: cached } : result;
};
