import { SocketAddress } from "node:net";
import { plainAddress } from "../../platform/ops/networkOf.ts";

/** The first bytes of every header of version 2. */
const signature = Buffer.from("\r\n\r\n\0\r\nQUIT\n", "latin1");
const fixedBytes = 16;
/** Addresses of IPv6 with their ports take 36 bytes; what follows them (TLVs) is skipped. */
const maxFollowingBytes = 2_048;

/** Version 2 in the high half, the command in the low one. */
const local = 0x20;
const proxied = 0x21;
const tcp4 = 0x11;
const tcp6 = 0x21;

/** The meaning of the first bytes of a connection from a balancer. */
export type ProxyHeader =
  | { readonly kind: "incomplete" }
  | { readonly kind: "invalid" }
  /** The whole header has `length` bytes; `address` is null for a connection of the balancer itself, as a health check is. */
  | { readonly kind: "whole"; readonly length: number; readonly address: string | null };

const incomplete: ProxyHeader = { kind: "incomplete" };
const invalid: ProxyHeader = { kind: "invalid" };

const ipv4Of = (bytes: Buffer): string => bytes.subarray(0, 4).join(".");

const ipv6Of = (bytes: Buffer): string => {
  const groups = Array.from({ length: 8 }, (_, n) => bytes.readUInt16BE(2 * n).toString(16));
  return plainAddress(new SocketAddress({ address: groups.join(":"), family: "ipv6" }).address);
};

/** The address of the sender, of the bytes after the fixed part; null for other protocols or too few bytes. */
const addressOf = (protocol: number | undefined, following: Buffer): string | null => {
  if (protocol === tcp4 && following.length >= 12) return ipv4Of(following);
  if (protocol === tcp6 && following.length >= 36) return ipv6Of(following);
  return null;
};

/**
 * Reads a header of the PROXY protocol, version 2, from the first bytes of a connection. Version 1, other protocols than TCP
 * and headers over 2,064 bytes are invalid. IPv4 addresses within IPv6 are written as IPv4.
 */
export const readProxyHeader = (bytes: Buffer): ProxyHeader => {
  const known = Math.min(bytes.length, signature.length);
  if (!bytes.subarray(0, known).equals(signature.subarray(0, known))) return invalid;
  if (bytes.length < fixedBytes) return incomplete;
  const [command, protocol] = bytes.subarray(signature.length);
  const following = bytes.readUInt16BE(fixedBytes - 2);
  if ((command !== local && command !== proxied) || following > maxFollowingBytes) return invalid;
  const length = fixedBytes + following;
  if (bytes.length < length) return incomplete;
  if (command === local) return { kind: "whole", length, address: null };
  const address = addressOf(protocol, bytes.subarray(fixedBytes, length));
  return address === null ? invalid : { kind: "whole", length, address };
};
