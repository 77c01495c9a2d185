import { encodeWord, quoteString } from "nodemailer/lib/mime-funcs";

const utf8 = new TextDecoder("utf-8", { fatal: true });
const western = new TextDecoder("windows-1252");

/** Decodes header bytes as UTF-8 (RFC 6532), or as windows-1252 when they are not valid UTF-8. Never throws. */
export const decodeHeaderText = (bytes: Uint8Array): string => {
  try {
    return utf8.decode(bytes);
  } catch {
    return western.decode(bytes);
  }
};

/** Maximum length of one encoded word (RFC 2047 allows 75). */
const encodedWordLength = 52;
const maxPlainLength = 900;

/**
 * Encodes text as a phrase of an address field: a quoted string for ASCII (RFC 5322, 3.2.4), otherwise folded
 * encoded words (RFC 2047). Text that looks like an encoded word is encoded too, so that it stays text.
 */
export const encodeDisplayName = (text: string): string =>
  /^[\x20-\x7e]*$/.test(text) && !text.includes("=?")
    ? quoteString(text)
    : encodeWord(text, "B", encodedWordLength).split(" ").join("\r\n ");

const plainText = /^[\x20-\x7e]*$/;
const plainWords = /^[\x20-\x2b\x2d-\x7e]*$/;

const encodeIfNeeded = (text: string, plain: RegExp): string =>
  plain.test(text) && !text.includes("=?") && text.length <= maxPlainLength
    ? text
    : encodeWord(text, "B", encodedWordLength).split(" ").join("\r\n ");

/** Encodes text as an unstructured field: unchanged for ASCII, otherwise as folded encoded words (RFC 2047). */
export const encodeUnstructured = (text: string): string =>
  encodeIfNeeded(text.replaceAll(/\p{Cc}+/gu, " "), plainText);

/** Encodes texts as one comma-separated value, each on its own line; a comma inside a text is encoded. */
export const encodeList = (texts: readonly string[]): string =>
  texts.map((text) => encodeIfNeeded(text.replaceAll(/\p{Cc}+/gu, " "), plainWords)).join(",\r\n ");

/** Formats a time (milliseconds since 1970) as a date of a mail header (RFC 5322, 3.3). */
export const formatMailDate = (time: number): string => new Date(time).toUTCString().replace("GMT", "+0000");
