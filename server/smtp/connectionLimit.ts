import { isIPv6 } from "node:net";
import { maxConnectionsPerNetwork } from "./limits.ts";

const ipv6Groups = 8;

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

/**
 * Returns the network that limits count by: an IPv4 address itself, or the /64 network of an IPv6 address, which is
 * the smallest that one client has (RFC 6177).
 */
const networkOf = (address: string): string => {
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1];
  if (mapped !== undefined || !isIPv6(address)) return mapped ?? address;
  const numbers = expandIpv6(address).slice(0, ipv6Groups / 2);
  return `${numbers.map((group) => Number.parseInt(group, 16).toString(16)).join(":")}::/64`;
};

/** Whether an address is a loopback address. */
const isLoopback = (address: string): boolean => /^(?:::1$|(?:::ffff:)?127\.)/i.test(address);

/**
 * Returns the network whose share of the spool a sender uses; null for programs on this host, such as a mail server
 * in front.
 */
export const spoolShareKey = ({ remoteAddress }: { readonly remoteAddress: string }): string | null =>
  isLoopback(remoteAddress) ? null : networkOf(remoteAddress);

/** Limits the open connections of each IPv4 address and each IPv6 network. */
export interface ConnectionLimit<Session> {
  /** Counts a connection; returns false when its network has reached the limit. */
  readonly enter: (session: Session) => boolean;
  readonly leave: (session: Session) => void;
}

/** Creates the limit of connections; connections from this host, such as a mail server in front, are not limited. */
export const createConnectionLimit = <
  Session extends { readonly remoteAddress: string },
>(): ConnectionLimit<Session> => {
  const open = new Map<string, number>();
  const counted = new WeakSet<Session>();

  return {
    enter: (session) => {
      const { remoteAddress } = session;
      const network = networkOf(remoteAddress);
      const count = open.get(network) ?? 0;
      if (count >= maxConnectionsPerNetwork && !isLoopback(remoteAddress)) return false;
      open.set(network, count + 1);
      counted.add(session);
      return true;
    },
    leave: (session) => {
      if (!counted.delete(session)) return;
      const network = networkOf(session.remoteAddress);
      const remaining = (open.get(network) ?? 1) - 1;
      if (remaining > 0) open.set(network, remaining);
      else open.delete(network);
    },
  };
};
