import { isIP } from "node:net";
import { createIsInNetworks } from "../dns/networkRanges.ts";
import { fieldError } from "../errors/useCaseError.ts";
import { isGlobalAddress } from "./globalAddress.ts";
import { readTarget } from "./publicHttpClient.ts";

/**
 * Returns host and port of an address that a user named in a field; throws when it cannot be sent to. What a name leads to is
 * checked when connecting. `networks` are those that are not public and may be reached, without TLS too.
 */
export const hostOfTarget = (text: string, field: string, networks: readonly string[]): string => {
  const target = readTarget(text);
  if (target === "port")
    throw fieldError("invalid", field, "Use another port: this one belongs to mail servers");
  if (target === "address")
    throw fieldError("invalid", field, "Enter an address with https:// and without a user name");
  if (target.protocol === "http:" && networks.length === 0)
    throw fieldError("invalid", field, "Enter an address that begins with https://");
  const address = target.host === "localhost" ? "127.0.0.1" : target.host;
  const isListed = createIsInNetworks(networks);
  if (isIP(address) !== 0 && !isGlobalAddress(address) && !isListed(address))
    throw fieldError(
      "invalid",
      field,
      "Enter a public address: this server sends nothing to private networks",
    );
  return `${target.host}:${target.port}`;
};
