import { encodeWord, quoteString } from "nodemailer/lib/mime-funcs";

const encodedWordLength = 52;

/**
 * Text as a phrase in an address field: a quoted string where ASCII serves (RFC 5322, 3.2.4), else encoded words on
 * lines of their own (RFC 2047). What only looks like an encoded word is encoded too, so that it stays text.
 */
export const displayName = (text: string): string =>
  /^[\x20-\x7e]*$/.test(text) && !text.includes("=?")
    ? quoteString(text)
    : encodeWord(text, "B", encodedWordLength).split(" ").join("\r\n ");
