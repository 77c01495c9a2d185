import { BlockList, isIP } from "node:net";

const ownNetworks = new BlockList();
for (const [network, bits, family] of [
  ["127.0.0.0", 8, "ipv4"],
  ["10.0.0.0", 8, "ipv4"],
  ["100.64.0.0", 10, "ipv4"],
  ["169.254.0.0", 16, "ipv4"],
  ["172.16.0.0", 12, "ipv4"],
  ["192.168.0.0", 16, "ipv4"],
  ["::1", 128, "ipv6"],
  ["fc00::", 7, "ipv6"],
  ["fe80::", 10, "ipv6"],
] as const)
  ownNetworks.addSubnet(network, bits, family);

/** An IPv4 address that came over IPv6, as IPv4 (RFC 4291, 2.5.5.2). */
const plain = (address: string): string => /^::ffff:([\d.]+)$/i.exec(address)?.[1] ?? address;

/**
 * Whether an address can be the one of a sender out in the world (RFC 6890). Mail from a private one has passed a
 * server of our own, which hid its sender's address.
 */
export const isPublicAddress = (address: string): boolean => {
  const one = plain(address);
  const family = isIP(one);
  return family !== 0 && !ownNetworks.check(one, family === 6 ? "ipv6" : "ipv4");
};
