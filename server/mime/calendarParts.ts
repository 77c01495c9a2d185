import { decodeEncodedWords } from "./charsets.ts";
import type { MimeLeaf } from "./mimeLeaves.ts";

/** The format of a calendar's text: content lines (RFC 5545), JSON (RFC 7265) or XML (RFC 6321). */
export type CalendarFormat = "lines" | "json" | "xml";

const calendarType =
  /^(?:text|application)\/(?:x-)?v?(?:calendar|icalendar|ical|ics|cal|cs|ifb)(?:\+(json|xml))?$/;
const calendarFile = /\.(?:ics|vcs|ical|icalendar|ifb|vcal)[\s."']*$/i;
/** The words in a header that may make a program take its part for a calendar. */
const calendarWord = /calendar|\b(?:x-)?(?:ics|ical|vcs|vcal|ifb)\b/i;

/** Returns the format of a part that a program may take for a calendar, by its type or the name of its file; null otherwise. */
export const calendarFormatOf = ({ type, name }: Pick<MimeLeaf, "type" | "name">): CalendarFormat | null => {
  const [found, suffix] = calendarType.exec(type) ?? [];
  if (found === undefined) return calendarFile.test(decodeEncodedWords(name)) ? "lines" : null;
  return suffix === "json" || suffix === "xml" ? suffix : "lines";
};

const readerFields = /^(content-[a-z-]+)[ \t]*:(?:[^\r\n]|\r?\n[ \t]){0,4000}/gim;

/** True if a header names its type or encoding twice, one of them that of a calendar: programs differ in which they take. */
export const isAmbiguous = (header: string): boolean => {
  const fields = [...header.matchAll(readerFields)].map(([field, name = ""]) => ({
    field,
    name: name.toLowerCase(),
  }));
  const isRepeated = (wanted: string): boolean => fields.filter(({ name }) => name === wanted).length > 1;
  return (
    (isRepeated("content-type") || isRepeated("content-transfer-encoding")) &&
    fields.some(({ field }) => calendarWord.test(field))
  );
};

/** The width of bytes below 128 in a text: each stands alone, or in pairs. */
type Width = "ascii" | "utf-16le" | "utf-16be";

/** Character sets in which a byte below 128 may be no ASCII character, or one that is not seen. */
const unreadCharset =
  /^(?:(?:x-)?(?:cs)?(?:unicode-?\d-\d-)?utf-?7|.*utf-?7$|utf-?32.*|ucs-?4.*|hz.*|.*ebcdic.*|(?:ibm|cp)-?0?(?:37|1047|500))/;

/** Returns how the bytes of a calendar (one character each) are read; null when that is not certain. */
export const widthOf = (bytes: string, charset: string): Width | null => {
  if (bytes.startsWith("\xff\xfe")) return "utf-16le";
  if (bytes.startsWith("\xfe\xff")) return "utf-16be";
  if (unreadCharset.test(charset)) return null;
  if (!bytes.includes("\0"))
    return /^utf-?16|^ucs-?2/.test(charset) && !/BEGIN/i.test(bytes) ? null : "ascii";
  if (bytes[1] === "\0") return "utf-16le";
  return bytes[0] === "\0" ? "utf-16be" : null;
};

/** Converts a text in UTF-16 to UTF-8, one character per byte. */
export const fromPairs = (bytes: string, width: Exclude<Width, "ascii">): string => {
  const pairs = Buffer.from(bytes, "latin1").subarray(0, bytes.length - (bytes.length % 2));
  const text = (width === "utf-16be" ? Buffer.from(pairs).swap16() : pairs).toString("utf16le");
  return Buffer.from(text, "utf8").toString("latin1");
};

/** Converts a text in UTF-8, one character per byte, to UTF-16. */
export const toPairs = (bytes: string, width: Exclude<Width, "ascii">): string => {
  const pairs = Buffer.from(Buffer.from(bytes, "latin1").toString("utf8"), "utf16le");
  return (width === "utf-16be" ? pairs.swap16() : pairs).toString("latin1");
};
