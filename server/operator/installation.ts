import { BlockList } from "node:net";
import { networkInterfaces } from "node:os";
import type { Config } from "../config/config.ts";
import type { DkimRecord, DnsPlan } from "./dnsRecords.ts";

const privateNetworks = new BlockList();
for (const [network, prefix] of [
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
] as const)
  privateNetworks.addSubnet(network, prefix, "ipv4");
for (const [network, prefix] of [
  ["::1", 128],
  ["fc00::", 7],
  ["fe80::", 10],
] as const)
  privateNetworks.addSubnet(network, prefix, "ipv6");

/** Returns this machine's public addresses, IPv4 first. */
export const publicAddresses = (): readonly string[] =>
  Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ address, family }) => !privateNetworks.check(address, family === "IPv6" ? "ipv6" : "ipv4"))
    .toSorted((a, b) => a.family.localeCompare(b.family))
    .map(({ address }) => address);

/** Returns the DNS plan of an installation. */
export const dnsPlanOf = (
  {
    maskDomain,
    publicUrl,
    postmaster,
    nextHop,
  }: Pick<Config, "maskDomain" | "publicUrl" | "postmaster" | "nextHop">,
  { addresses, dkim }: { readonly addresses: readonly string[]; readonly dkim: readonly DkimRecord[] },
): DnsPlan => ({
  maskDomain,
  publicUrl,
  addresses,
  dkim,
  postmaster,
  deliversItself: nextHop === null,
});
