import type { HeaderBlock, HeaderField } from "../mime/headerBlock.ts";

/** Returns a header field in relaxed form (RFC 6376, 3.4.2), without its line break. */
export const relaxField = (line: string): string => {
  const colon = line.indexOf(":");
  const value = line
    .slice(colon + 1)
    .replaceAll("\r\n", "")
    .replaceAll(/[ \t]+/g, " ")
    .trim();
  return `${line.slice(0, colon).trim().toLowerCase()}:${value}`;
};

/** Returns a field as latin1 text. */
export const fieldText = (content: Buffer, { start, end }: HeaderField): string =>
  content.toString("latin1", start, end);

/** Signed when present, and once more than present, so that none can be added (RFC 6376, 5.4.1 and 8.15). */
const signedNames = [
  "from",
  "to",
  "cc",
  "subject",
  "date",
  "message-id",
  "reply-to",
  "in-reply-to",
  "references",
  "mime-version",
  "content-type",
  "content-transfer-encoding",
  "list-unsubscribe",
  "list-unsubscribe-post",
  "list-id",
  "auto-submitted",
];

/** Signed only when present, because most mail has none. */
const signedWhenPresent = ["cfbl-address", "cfbl-feedback-id"];

/** The fields that a signature covers. */
export interface SignedFields {
  /** The h= tag. */
  readonly names: readonly string[];
  /** The fields in relaxed form, each with its line break, in the order of the names. */
  readonly text: string;
}

/** Selects the fields that a signature covers: the last of several first (RFC 6376, 5.4.2). */
export const selectSignedFields = (content: Buffer, { fields }: HeaderBlock): SignedFields => {
  const names: string[] = [];
  let text = "";
  for (const name of signedNames) {
    const found = fields.filter((field) => field.name === name).reverse();
    for (const field of found) text += `${relaxField(fieldText(content, field))}\r\n`;
    names.push(...found.map(() => name), name);
  }
  for (const name of signedWhenPresent) {
    const found = fields.filter((field) => field.name === name).reverse();
    for (const field of found) text += `${relaxField(fieldText(content, field))}\r\n`;
    if (found.length > 0) names.push(...found.map(() => name), name);
  }
  return { names, text };
};

const maxLine = 72;

/** Folds words into lines of a header field. */
export const foldWords = (words: readonly string[], separator: string): string => {
  let line = "";
  const lines: string[] = [];
  for (const [n, word] of words.entries()) {
    const piece = n === words.length - 1 ? word : `${word}${separator}`;
    if (line !== "" && line.length + piece.length > maxLine) {
      lines.push(line);
      line = "";
    }
    line += piece;
  }
  return [...lines, line].join("\r\n ");
};

/** Folds a text without spaces, such as a signature. */
export const foldText = (text: string): string => (text.match(/.{1,72}/g) ?? []).join("\r\n ");
