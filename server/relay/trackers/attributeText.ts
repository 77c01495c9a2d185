import type { TextEdit } from "../../mime/quotedPrintable.ts";
import type { HtmlAttribute } from "./htmlTags.ts";

/** The value of an attribute as it is written, without quotes; empty for one without a value. */
export const writtenValue = (
  html: string,
  { name, start, end }: HtmlAttribute,
): { start: number; text: string } => {
  const rest = html.slice(start + name.length, end);
  const [before = ""] = /^\s*(?:=\s*)?/.exec(rest) ?? [];
  const quote = /^["']/.exec(rest.slice(before.length))?.[0] ?? "";
  const text = rest.slice(before.length + quote.length, rest.length - quote.length);
  return { start: start + name.length + before.length + quote.length, text };
};

const named: Readonly<Record<string, string>> = {
  amp: "&",
  apos: "'",
  gt: ">",
  lpar: "(",
  lt: "<",
  quot: '"',
  rpar: ")",
};

const reference = /\r\n?|&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,4}));/gi;

/** Finds the edits of a text that a value decodes to, in the value; null when it is written in an unusual way. */
const locate = (written: string, value: string, edits: readonly TextEdit[]): readonly TextEdit[] | null => {
  /** The places where the decoded and the written text go apart: after each reference. */
  const marks: { readonly decoded: number; readonly written: number }[] = [{ decoded: 0, written: 0 }];
  let decoded = "";
  let copied = 0;
  for (const match of written.matchAll(reference)) {
    const [whole, decimal, hex, name] = match;
    const code = decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal);
    const character =
      whole[0] === "\r" ? "\n" : name === undefined ? String.fromCharCode(code) : named[name.toLowerCase()];
    if (character === undefined) return null;
    decoded += written.slice(copied, match.index) + character;
    copied = match.index + whole.length;
    marks.push({ decoded: decoded.length, written: copied });
  }
  if (decoded + written.slice(copied) !== value) return null;
  let mark = 0;
  const writtenAt = (offset: number): number => {
    while ((marks[mark + 1]?.decoded ?? Number.POSITIVE_INFINITY) <= offset) mark += 1;
    const { decoded: from, written: to } = marks[mark] ?? { decoded: 0, written: 0 };
    return to + offset - from;
  };
  return edits.map(({ start, end, text }) => ({ start: writtenAt(start), end: writtenAt(end), text }));
};

/** Returns the edits of an attribute for those of its value; where they cannot be found in the text, it goes whole. */
export const editValue = (
  html: string,
  attribute: HtmlAttribute,
  edits: readonly TextEdit[],
): readonly TextEdit[] => {
  if (edits.length === 0) return [];
  const { start, text } = writtenValue(html, attribute);
  const located = locate(text, attribute.value, edits);
  if (!located) return [{ start: attribute.start, end: attribute.end, text: "" }];
  return located.map((edit) => ({ ...edit, start: start + edit.start, end: start + edit.end }));
};
