import { networkInterfaces } from "node:os";
import type { Config } from "../../platform/config/config.ts";
import { isPublicAddress } from "../../platform/dns/networkRanges.ts";
import type { DkimRecord, DnsSetup } from "./dnsRecords.ts";

/** A sandbox may hide the interfaces. */
const interfacesOf = (): ReturnType<typeof networkInterfaces> => {
  try {
    return networkInterfaces();
  } catch {
    return {};
  }
};

/** Returns this machine's public addresses, IPv4 first; none where they cannot be read. */
export const publicAddresses = (): readonly string[] =>
  Object.values(interfacesOf())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ address }) => isPublicAddress(address))
    .toSorted((a, b) => a.family.localeCompare(b.family))
    .map(({ address }) => address);

/** Returns the DNS setup of an installation. */
export const dnsSetupOf = (
  {
    maskDomain,
    publicUrl,
    nextHop,
    subdomains,
    inbound,
    mailbox,
  }: Pick<Config, "maskDomain" | "publicUrl" | "nextHop" | "subdomains" | "inbound" | "mailbox">,
  { addresses, dkim }: { readonly addresses: readonly string[]; readonly dkim: readonly DkimRecord[] },
): DnsSetup => ({
  maskDomain,
  publicUrl,
  addresses,
  dkim,
  deliversItself: nextHop === null || nextHop === "mx",
  hasSubdomains: subdomains > 0,
  receivesElsewhere: inbound !== null || mailbox !== null,
});
