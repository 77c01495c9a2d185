import { encodeWord } from "nodemailer/lib/mime-funcs";

const encodedWordLength = 52;
const longestPlain = 900;

const plainText = /^[\x20-\x7e]*$/;
const plainWords = /^[\x20-\x2b\x2d-\x7e]*$/;

const encoded = (text: string, plain: RegExp): string =>
  plain.test(text) && !text.includes("=?") && text.length <= longestPlain
    ? text
    : encodeWord(text, "B", encodedWordLength).split(" ").join("\r\n ");

/** Text as the value of an unstructured field: as it is where ASCII serves, else encoded words, folded (RFC 2047). */
export const encodedText = (text: string): string => encoded(text.replaceAll(/\p{Cc}+/gu, " "), plainText);

/** Texts as one value with commas between them, each on a line of its own; a comma within one is encoded. */
export const encodedList = (texts: readonly string[]): string =>
  texts.map((text) => encoded(text.replaceAll(/\p{Cc}+/gu, " "), plainWords)).join(",\r\n ");
