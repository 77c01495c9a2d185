import { isIPv6 } from "node:net";

const ipv6Groups = 8;

/** Returns the groups of an IPv6 address, with those that "::" stands for. */
const expandIpv6 = (address: string): readonly string[] => {
  const [before = [], after] = address
    .replace(/%.*$/, "")
    .split("::")
    .map((half) => half.split(":").filter(Boolean));
  if (after === undefined) return before;
  return [
    ...before,
    ...Array<string>(Math.max(0, ipv6Groups - before.length - after.length)).fill("0"),
    ...after,
  ];
};

/** The network of mail that a provider hands over, whose clients nobody here knows. */
const ofProvider = "provider";

/**
 * Returns the network that limits count by: an IPv4 address, or the /64 network of an IPv6 address, the
 * smallest that one client has (RFC 6177). All mail that a provider hands over has one (null).
 */
export const networkOf = (address: string | null): string => {
  if (address === null) return ofProvider;
  if (!address.includes(":")) return address;
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1];
  if (mapped !== undefined || !isIPv6(address)) return mapped ?? address;
  const numbers = expandIpv6(address).slice(0, ipv6Groups / 2);
  return `${numbers.map((group) => Number.parseInt(group, 16).toString(16)).join(":")}::/64`;
};

/** True if an address is a loopback address, such as of a mail server in front on this host. */
export const isLoopback = (address: string): boolean => /^(?:::1$|(?:::ffff:)?127\.)/i.test(address);

/** Returns an address without the IPv6 prefix of mapped IPv4 addresses. */
export const plainAddress = (address: string): string => address.replace(/^::ffff:(?=[\d.]+$)/i, "");

/**
 * Returns the wider network of an address: the /24 of an IPv4 address, or the /56 of an IPv6 address, which one customer
 * of a provider often has (RFC 6177).
 */
export const widerNetworkOf = (address: string | null): string => {
  const network = networkOf(address);
  if (!network.endsWith("::/64")) return network.replace(/\.\d+$/, ".0/24");
  const [first = "0", second = "0", third = "0", fourth = "0"] = network.slice(0, -"::/64".length).split(":");
  const high = (Number.parseInt(fourth, 16) & 0xff00).toString(16);
  return `${first}:${second}:${third}:${high}::/56`;
};
