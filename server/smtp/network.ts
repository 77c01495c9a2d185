import { isIPv6 } from "node:net";

const groups = 8;

const expanded = (address: string): readonly string[] => {
  const [before = [], after] = address
    .replace(/%.*$/, "")
    .split("::")
    .map((half) => half.split(":").filter(Boolean));
  if (after === undefined) return before;
  return [
    ...before,
    ...Array<string>(Math.max(0, groups - before.length - after.length)).fill("0"),
    ...after,
  ];
};

/**
 * Whose an address is, as far as counting goes: one of IPv4 stands for itself; of IPv6 everybody has a network of 64 bits
 * at least (RFC 6177), which stands for all that is in it.
 */
export const networkOf = (address: string): string => {
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1];
  if (mapped !== undefined || !isIPv6(address)) return mapped ?? address;
  const numbers = expanded(address).slice(0, groups / 2);
  return `${numbers.map((group) => Number.parseInt(group, 16).toString(16)).join(":")}::/64`;
};

/** Whether an address is this host's own. */
export const isLoopback = (address: string): boolean => /^(?:::1$|(?:::ffff:)?127\.)/i.test(address);

/** Whose share a sender takes of what all have; null for this host's own programs, a mail server in front for one. */
export const senderOf = ({ remoteAddress }: { readonly remoteAddress: string }): string | null =>
  isLoopback(remoteAddress) ? null : networkOf(remoteAddress);
