import { BlockList, isIP } from "node:net";

/**
 * IPv4 networks that are not reachable from everywhere (IANA's registry of special-purpose addresses), multicast, and the
 * address at which Azure's machines find their host.
 */
const specialIpv4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "168.63.129.16/32",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
];

/** Of the global unicast addresses: protocols, Teredo, 6to4 (which contains an IPv4 address) and examples. */
const specialIpv6 = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"];

const globalUnicast = ["2000::/3"];

const toList = (networks: readonly string[], family: "ipv4" | "ipv6"): BlockList => {
  const list = new BlockList();
  for (const network of networks) {
    const [address = "", bits] = network.split("/");
    list.addSubnet(address, Number(bits), family);
  }
  return list;
};

const isSpecialIpv4 = toList(specialIpv4, "ipv4");
const isSpecialIpv6 = toList(specialIpv6, "ipv6");
const isGlobalUnicast = toList(globalUnicast, "ipv6");

/**
 * True if an IP address is one of the Internet at large. IPv6 addresses that contain an IPv4 address (mapped, NAT64, 6to4,
 * Teredo) are not, because they lead to wherever that one does.
 */
export const isGlobalAddress = (address: string): boolean => {
  if (isIP(address) === 4) return !isSpecialIpv4.check(address, "ipv4");
  return (
    isIP(address) === 6 && isGlobalUnicast.check(address, "ipv6") && !isSpecialIpv6.check(address, "ipv6")
  );
};
