import { scrypt, timingSafeEqual } from "node:crypto";
import type { Random } from "../../../core/ports/random.ts";

/** An app password: 24 characters, of which the first 8 find it in the store. */
export interface AppPasswordText {
  readonly lookup: string;
  readonly secret: string;
}

/** Without l and o, which look like digits. 32 characters, so that five bits choose one. */
const alphabet = "abcdefghijkmnpqrstuvwxyz23456789";
const length = 24;
const lookupLength = 8;
const groupLength = 4;

/** 16 characters are 80 random bits; scrypt (RFC 7914) makes a copy of the store useless as well. */
const cost = { N: 16_384, r: 8, p: 1 } as const;
const hashBytes = 32;

const split = (text: string): AppPasswordText => ({
  lookup: text.slice(0, lookupLength),
  secret: text.slice(lookupLength),
});

/** Returns a new app password. */
export const newAppPassword = (random: Random): AppPasswordText =>
  split([...random.bytes(length)].map((byte) => alphabet[byte & 31]).join(""));

/** Returns the password as it is shown: groups of four between hyphens. */
export const showAppPassword = ({ lookup, secret }: AppPasswordText): string =>
  (`${lookup}${secret}`.match(new RegExp(`.{${groupLength}}`, "g")) ?? []).join("-");

/** Reads a password as it was typed, with or without hyphens and spaces; null when it has another form. */
export const parseAppPassword = (typed: string): AppPasswordText | null => {
  const text = typed.replaceAll(/[\s-]/g, "").toLowerCase();
  return text.length === length && [...text].every((character) => alphabet.includes(character))
    ? split(text)
    : null;
};

/** Returns the hash that is stored; `salt` is the id of the password. */
export const hashAppPassword = ({ secret }: AppPasswordText, salt: string): Promise<string> =>
  new Promise((resolve, reject) =>
    scrypt(secret, salt, hashBytes, cost, (error, hash) => {
      if (error) reject(error);
      else resolve(hash.toString("base64url"));
    }),
  );

/** True if a typed password is the one with a stored hash. */
export const isAppPassword = async (typed: AppPasswordText, salt: string, hash: string): Promise<boolean> => {
  const one = Buffer.from(await hashAppPassword(typed, salt));
  const other = Buffer.from(hash);
  return one.length === other.length && timingSafeEqual(one, other);
};
