import type { Config } from "../../platform/config/config.ts";
import { isLoopbackOrigin } from "../../platform/config/loopbackOrigin.ts";
import { type DnsResolver, lookUp } from "../../platform/dns/dnsResolver.ts";
import { publicAddresses } from "./installation.ts";

/**
 * Returns the public addresses of this server: those of the machine, and those of its name, because a container or a machine
 * behind NAT does not know its own.
 */
export const findOwnAddresses = async (
  dns: Pick<DnsResolver, "resolve4" | "resolve6">,
  { maskDomain, publicUrl }: Pick<Config, "maskDomain" | "publicUrl">,
  known: readonly string[] = publicAddresses(),
): Promise<readonly string[]> => {
  if (isLoopbackOrigin(publicUrl)) return known;
  const found = await Promise.all([lookUp(dns.resolve4(maskDomain)), lookUp(dns.resolve6(maskDomain))]);
  return [...new Set([...known, ...found.flatMap((addresses) => addresses ?? [])])];
};
