import { encode, wrap } from "nodemailer/lib/qp";

/** White space at the end of a line is removed (RFC 2045, 6.7); the lookbehind keeps the search linear. */
const decodeText = (text: string): string =>
  text
    .replace(/(?<![ \t])[ \t]+\r\n/g, "\r\n")
    .replace(/=\r\n/g, "")
    .replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

/** Decodes a quoted-printable part, one character per byte (latin1). */
export const decodeQuotedPrintable = (bytes: Buffer): string => decodeText(bytes.toString("latin1"));

const maxLineLength = 76;

/** Matches what must be encoded: other characters, blanks at the end of a line, and line breaks that are none in mail. */
const needsEncoding = /[^\t\r\n -<>-~]|[ \t](?:\r\n|$)|\r(?!\n)|(?<!\r)\n/;

/** True if a text is its own encoding, as most plain texts are. */
const isEncoded = (text: string): boolean =>
  !needsEncoding.test(text) && text.split("\r\n").every(({ length }) => length <= maxLineLength);

/** Encodes a text with one character per byte (latin1). */
export const encodeQuotedPrintable = (text: string): Buffer => {
  const bytes = Buffer.from(text, "latin1");
  return isEncoded(text) ? bytes : Buffer.from(wrap(encode(bytes)), "latin1");
};

/** A change of a decoded text: the characters from `start` to before `end` are replaced. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Applies edits, which are in order and do not overlap. */
export const applyEdits = (text: string, edits: readonly TextEdit[]): string => {
  const pieces: string[] = [];
  let copied = 0;
  for (const { start, end, text: replacement } of edits) {
    pieces.push(text.slice(copied, start), replacement);
    copied = end;
  }
  return pieces.join("") + text.slice(copied);
};

const hexPair = /[0-9a-f]{2}/iy;

const isHexAt = (text: string, at: number): boolean => {
  hexPair.lastIndex = at;
  return hexPair.test(text);
};

/** Returns the offset after spaces and tabs. */
const skipBlanks = (text: string, from: number): number => {
  let at = from;
  while (text[at] === " " || text[at] === "\t") at += 1;
  return at;
};

/** Converts the edges of edits to offsets in the encoded text: before a first character, and after a last one. */
const locateEdits = (encoded: string, edits: readonly TextEdit[]): readonly TextEdit[] => {
  const located: TextEdit[] = [];
  let at = 0;
  let decoded = 0;
  let afterLast = 0;
  /** Skips what stands for no character: soft line breaks, and blanks at the end of a line. */
  const skipSilent = (): void => {
    for (;;) {
      const end = skipBlanks(encoded, encoded[at] === "=" ? at + 1 : at);
      const isSoft = encoded[at] === "=" && encoded.startsWith("\r\n", end);
      const isTrailing = encoded[at] !== "=" && end > at && encoded.startsWith("\r\n", end);
      if (isSoft) at = end + 2;
      else if (isTrailing) at = end;
      else return;
    }
  };
  const goTo = (target: number): void => {
    while (decoded < target && at < encoded.length) {
      skipSilent();
      // A run of blanks is skipped at once, so that no run is searched for its end from each of its characters.
      const blanks = skipBlanks(encoded, at) - at;
      const step = blanks > 0 ? Math.min(blanks, target - decoded) : 1;
      at += blanks > 0 ? step : encoded[at] === "=" && isHexAt(encoded, at + 1) ? 3 : 1;
      decoded += step;
      afterLast = at;
    }
  };
  for (const { start, end, text } of edits) {
    goTo(start);
    skipSilent();
    const from = at;
    goTo(end);
    located.push({ start: from, end: Math.max(from, afterLast), text });
  }
  return located;
};

/** Folds an encoded line that has become too long; it may end with a soft line break. */
const fold = (line: string): string => {
  if (line.length <= maxLineLength) return line;
  const lines: string[] = [];
  let current = "";
  for (const [token] of line.matchAll(/=[0-9a-f]{2}|./gis)) {
    if (current.length + token.length >= maxLineLength) {
      lines.push(current);
      current = "";
    }
    current += token;
  }
  return [...lines, current].join("=\r\n");
};

/** Encodes a blank at the end of a line, which would be lost. */
const keepLastBlank = (line: string): string =>
  line.endsWith(" ") ? `${line.slice(0, -1)}=20` : line.endsWith("\t") ? `${line.slice(0, -1)}=09` : line;

/** Applies edits to encoded text; only the lines they touch can change. */
const splice = (encoded: string, edits: readonly TextEdit[]): string => {
  const pieces: string[] = [];
  let line = "";
  let isTouched = false;
  const add = (unchanged: string, isLast: boolean): void => {
    const first = unchanged.indexOf("\r\n");
    if (first === -1) {
      line += unchanged;
      if (isLast) pieces.push(isTouched ? fold(keepLastBlank(line)) : line);
      return;
    }
    const whole = line + unchanged.slice(0, first);
    const last = unchanged.lastIndexOf("\r\n") + 2;
    pieces.push(isTouched ? fold(keepLastBlank(whole)) : whole, unchanged.slice(first, last));
    isTouched = false;
    line = "";
    add(unchanged.slice(last), isLast);
  };
  let copied = 0;
  for (const { start, end, text } of edits) {
    add(encoded.slice(copied, start), false);
    line += encode(Buffer.from(text, "latin1"));
    isTouched = true;
    copied = end;
  }
  add(encoded.slice(copied), true);
  return pieces.join("");
};

/** Edits a quoted-printable part; lines without an edit stay as their sender encoded them. */
export const editQuotedPrintable = (original: Buffer, edits: readonly TextEdit[]): Buffer => {
  const encoded = original.toString("latin1");
  const expected = applyEdits(decodeText(encoded), edits);
  const edited = splice(encoded, locateEdits(encoded, edits));
  // What a sender encoded wrongly can read differently beside an edit.
  return decodeText(edited) === decodeText(encode(Buffer.from(expected, "latin1")))
    ? Buffer.from(edited, "latin1")
    : encodeQuotedPrintable(expected);
};
