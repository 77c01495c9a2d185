import { crc32 } from "node:zlib";
import { apiTokenPrefix } from "../../../core/apiTokens/apiTokenEndpoints.ts";
import type { Random } from "../../../core/ports/random.ts";

/** RFC 4648, 6, in lower case. 32 characters, so that five bits choose one. */
const alphabet = "abcdefghijklmnopqrstuvwxyz234567";
/** 160 random bits. */
const secretLength = 32;
/** 35 bits, for the 32 of a CRC-32. */
const checksumLength = 7;

const form = new RegExp(
  `^${apiTokenPrefix}([${alphabet}]{${secretLength}})([${alphabet}]{${checksumLength}})$`,
);

const checksumOf = (secret: string): string => {
  const sum = crc32(secret);
  return Array.from({ length: checksumLength }, (_, at) => alphabet[Math.floor(sum / 32 ** at) % 32]).join(
    "",
  );
};

/** Returns a new API token: `bauta_`, 160 random bits, and a checksum that finds typing errors. */
export const newTokenText = (random: Random): string => {
  const secret = Array.from(random.bytes(secretLength), (byte) => alphabet[byte & 31]).join("");
  return `${apiTokenPrefix}${secret}${checksumOf(secret)}`;
};

/** Whether a text has the form and the checksum of an API token. */
export const isTokenText = (text: string): boolean => {
  const [, secret = "", checksum] = form.exec(text) ?? [];
  return secret !== "" && checksumOf(secret) === checksum;
};
