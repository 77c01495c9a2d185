import { getServers } from "node:dns";
import { BlockList, isIP } from "node:net";

/** Networks that are not reachable from the Internet (RFC 6890), and loopback. */
const loopback = ["127.0.0.0/8", "::1/128"];
const privateRanges = [
  ...loopback,
  "10.0.0.0/8",
  "100.64.0.0/10",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.168.0.0/16",
  "fc00::/7",
  "fe80::/10",
];

/** Returns an IPv4-mapped IPv6 address as IPv4 (RFC 4291, 2.5.5.2). */
export const unmapIpv4 = (address: string): string => /^::ffff:([\d.]+)$/i.exec(address)?.[1] ?? address;

/** True if an address is in a set of networks. */
export type IsInNetworks = (address: string) => boolean;

/** Creates the check for networks: "loopback", an address, or CIDR notation. */
export const createIsInNetworks = (networks: readonly string[]): IsInNetworks => {
  const list = new BlockList();
  for (const range of networks.flatMap((one) => (one === "loopback" ? loopback : [one]))) {
    const [network = "", bits] = range.split("/");
    const family = isIP(network) === 6 ? "ipv6" : "ipv4";
    if (bits === undefined) list.addAddress(network, family);
    else list.addSubnet(network, Number(bits), family);
  }
  return (address) => {
    const plain = unmapIpv4(address);
    const family = isIP(plain);
    return family !== 0 && list.check(plain, family === 6 ? "ipv6" : "ipv4");
  };
};

const isPrivate = createIsInNetworks(privateRanges);

/**
 * True if an IP address is public. Mail from a private address came through a server of the installation, which hides its
 * sender's address.
 */
export const isPublicAddress = (address: string): boolean =>
  isIP(unmapIpv4(address)) !== 0 && !isPrivate(address);

const isLoopback = createIsInNetworks(["loopback"]);

/** True if the resolvers run on this machine, so that nobody can change their answers on the way. */
export const isLocalResolver = (dnsServer: string | null): boolean => {
  const hosts = (dnsServer === null ? getServers() : [dnsServer]).map((server) =>
    server.replace(/^\[(.+)\](?::\d+)?$/, "$1").replace(/^([\d.]+):\d+$/, "$1"),
  );
  return hosts.length > 0 && hosts.every(isLoopback);
};
