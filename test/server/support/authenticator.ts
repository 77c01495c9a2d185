import { createHmac } from "node:crypto";

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

const bytesOf = (secret: string): Buffer => {
  const bits = [...secret].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, "0")).join("");
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
};

/** Returns the code of an authenticator (RFC 6238: SHA-1, 6 digits, 30 s), implemented independently of the server. */
export const codeAt = (secret: string, now: number): string => {
  const step = Buffer.alloc(8);
  step.writeBigUInt64BE(BigInt(Math.floor(now / 30_000)));
  const mac = createHmac("sha1", bytesOf(secret)).update(step).digest();
  const offset = (mac.at(-1) ?? 0) & 15;
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, "0");
};

/** Returns a code that is valid in none of the time steps around `now`. */
export const wrongCodeAt = (secret: string, now: number): string => {
  const right = [-30_000, 0, 30_000].map((ms) => codeAt(secret, now + ms));
  return ["111111", "222222", "333333", "444444"].find((code) => !right.includes(code)) ?? "";
};
