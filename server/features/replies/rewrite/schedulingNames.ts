import type { Sender } from "../../../../core/mail/forwardedFrom.ts";

const escapePattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");

/** Words of dates, which programs write into the mails of calendars, and which are names too. */
const dateWord =
  /^(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec|sun|sat|mon|april|august|march)$/i;

const wordsOf = (text: string): readonly string[] =>
  text.normalize("NFC").match(/[\p{L}\p{N}\p{M}]+(?:['\u2019-][\p{L}\p{N}\p{M}]+)*/gu) ?? [];

const isShown = (word: string, isOnly: boolean): boolean =>
  word.length >= (isOnly ? 2 : 3) && word !== word.toLowerCase() && !dateWord.test(word);

/** Words of scripts without capital letters count too. */
const hasNoCase = (word: string): boolean => word.toLowerCase() === word.toUpperCase() && /\p{L}/u.test(word);

const maxNames = 30;

/**
 * Creates the replacement of the words of names, as programs write them into the mails of calendars ("Accepted: Tea (Ada
 * Lovelace)"): in their own letters or in capitals, so that other words stay, and but for those that others are called by.
 */
export const createReplaceNames = (
  names: readonly string[],
  others: Iterable<Sender>,
  replacement: string,
): ((text: string) => string) => {
  const taken = new Set([...others].flatMap(({ name }) => wordsOf(name)));
  const words = names
    .slice(0, maxNames)
    .filter((name) => !name.includes("@"))
    .map(wordsOf)
    .flatMap((all) => all.filter((word) => isShown(word, all.length === 1) || hasNoCase(word)))
    .filter((word) => !taken.has(word));
  if (words.length === 0) return (text) => text;
  const forms = [...new Set(words.flatMap((word) => [word, word.toUpperCase(), word.normalize("NFD")]))];
  const one = `(?:${forms
    .toSorted((a, b) => b.length - a.length)
    .map(escapePattern)
    .join("|")})`;
  const pattern = new RegExp(
    `(?<![\\p{L}\\p{N}@._/-])${one}(?:[\\s.,\\u00a0]{1,3}${one}){0,5}(?![\\p{L}\\p{N}\\p{M}@_]|[.-]\\p{L})`,
    "gu",
  );
  return (text) => text.replaceAll(pattern, () => replacement);
};
