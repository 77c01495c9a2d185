import { isIP } from "node:net";

const literal = /^\[(?:IPv6:)?([\da-f:.]+)\]$/i;

/** The answer where mail would go to an address literal of a network that it must not reach. */
export const refusedLiteral = "550 5.1.2 Mail cannot be sent to this address literal";

/**
 * Returns the IP address in the literal that stands in place of a domain (RFC 5321, 4.1.3); null for a host name, and
 * "refused" where mail may not be sent there.
 */
export const addressInLiteral = (
  domain: string,
  isAllowed: (address: string) => boolean,
): { readonly address: string } | "refused" | null => {
  if (!domain.startsWith("[")) return null;
  const [, address = ""] = literal.exec(domain) ?? [];
  return isIP(address) !== 0 && isAllowed(address) ? { address } : "refused";
};
