import { encode, wrap } from "nodemailer/lib/qp";

/** White space at the end of a line is removed (RFC 2045, 6.7); the lookbehind keeps the search linear. */
const decodeText = (text: string): string =>
  text
    .replace(/(?<![ \t])[ \t]+\r\n/g, "\r\n")
    .replace(/=\r\n/g, "")
    .replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

/** Decodes a quoted-printable part, one character per byte (latin1). */
export const decodeQuotedPrintable = (bytes: Buffer): string => decodeText(bytes.toString("latin1"));

/** The maximum distance at which equal lines of the original are found. */
const maxDistance = 40;

/** A line break of the text, in contrast to one that only folds a long line. */
const hardBreak = /(?<=\r\n)(?<!=[ \t]*\r\n)/;

/** Returns how many lines to skip in each list to the next equal line; null when none is near. */
const nextEqual = (
  before: readonly string[],
  after: readonly string[],
  at: readonly [number, number],
): readonly [number, number] | null => {
  const [first, second] = at;
  for (let distance = 1; distance <= maxDistance; distance += 1)
    for (let skipped = 0; skipped <= distance; skipped += 1) {
      const line = before[first + skipped];
      if (line !== undefined && line === after[second + distance - skipped])
        return [skipped, distance - skipped];
    }
  return null;
};

/** Encodes a changed text; unchanged lines stay as their sender encoded them. */
export const encodeQuotedPrintable = (text: string, original: Buffer): Buffer => {
  const encoded = original.toString("latin1").split(hardBreak);
  const before = encoded.map(decodeText);
  const after = text.split(/(?<=\r\n)/);
  const out: string[] = [];
  let [first, second] = [0, 0];
  while (second < after.length) {
    if (before[first] === after[second]) {
      out.push(encoded[first] ?? "");
      first += 1;
      second += 1;
      continue;
    }
    const [skipped, changed] = nextEqual(before, after, [first, second]) ?? [0, after.length - second];
    const lines = after.slice(second, second + changed).join("");
    if (lines !== "") out.push(wrap(encode(Buffer.from(lines, "latin1"))));
    first += skipped;
    second += changed;
  }
  if (before[first] === "") out.push(encoded[first] ?? "");
  return Buffer.from(out.join(""), "latin1");
};
