import { crc32 } from "node:zlib";
import { addyTokenPrefix, apiTokenPrefix } from "../../../core/apiTokens/apiTokenEndpoints.ts";
import type { Random } from "../../../core/ports/random.ts";

/** RFC 4648, 6, in lower case. 32 characters, so that five bits choose one. */
const alphabet = "abcdefghijklmnopqrstuvwxyz234567";
/** 205 random bits. With the checksum a token has 48 characters: programs of addy.io take no key of fewer than 40. */
const secretLength = 41;
/** The tokens of earlier versions have 160 random bits. */
const earlierSecretLength = 32;
/** 35 bits, for the 32 of a CRC-32. */
const checksumLength = 7;

const form = new RegExp(
  `^(?:${apiTokenPrefix}|${addyTokenPrefix})([${alphabet}]{${secretLength}}|[${alphabet}]{${earlierSecretLength}})([${alphabet}]{${checksumLength}})$`,
);

const checksumOf = (secret: string): string => {
  const sum = crc32(secret);
  return Array.from({ length: checksumLength }, (_, at) => alphabet[Math.floor(sum / 32 ** at) % 32]).join(
    "",
  );
};

/** Returns a new API token: `bauta_`, 205 random bits, and a checksum that finds typing errors. */
export const newTokenText = (random: Random): string => {
  const secret = Array.from(random.bytes(secretLength), (byte) => alphabet[byte & 31]).join("");
  return `${apiTokenPrefix}${secret}${checksumOf(secret)}`;
};

/** Returns an API token in the spelling that it was made in; null for a text without its form or its checksum. */
export const readTokenText = (text: string): string | null => {
  const [, secret = "", checksum] = form.exec(text) ?? [];
  return secret !== "" && checksumOf(secret) === checksum ? `${apiTokenPrefix}${secret}${checksum}` : null;
};
