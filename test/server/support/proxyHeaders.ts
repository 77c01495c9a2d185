import { isIPv6 } from "node:net";

/** The first bytes of a header of the PROXY protocol, version 2. */
export const proxySignature = Buffer.from([13, 10, 13, 10, 0, 13, 10, 81, 85, 73, 84, 10]);

const header = (command: number, protocol: number, following: Buffer): Buffer => {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(following.length);
  return Buffer.concat([proxySignature, Buffer.from([command, protocol]), length, following]);
};

const bytesOf = (address: string): Buffer => {
  if (!isIPv6(address)) return Buffer.from(address.split(".").map(Number));
  const [before = [], after = []] = address.split("::").map((half) => half.split(":").filter(Boolean));
  const zeros = Array<string>(8 - before.length - after.length).fill("0");
  return Buffer.from([...before, ...zeros, ...after].map((group) => group.padStart(4, "0")).join(""), "hex");
};

/** A header as a balancer writes it for a connection from an address over TCP; `more` are the TLVs. */
export const proxied = (address: string, more = Buffer.alloc(0)): Buffer => {
  const own = isIPv6(address) ? "::1" : "127.0.0.1";
  const ports = Buffer.from([0xc0, 0x01, 0, 25]);
  const addresses = Buffer.concat([bytesOf(address), bytesOf(own), ports, more]);
  return header(0x21, isIPv6(address) ? 0x21 : 0x11, addresses);
};

/** The header of a balancer's own connection, such as a health check. */
export const localHeader = header(0x20, 0, Buffer.alloc(0));
