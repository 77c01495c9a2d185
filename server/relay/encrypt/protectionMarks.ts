/** Parameters of Content-Type that say how a header is protected (RFC 9788, 2.1, and what programs had before it). */
const markName = /^;\s*(?:hp|protected-headers)\s*(?:\*\s*(?:\d+\s*\*?\s*)?)?=/i;

const closing = (text: string, start: number, closes: (char: string | undefined) => boolean): number => {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (closes(text[at])) return at + 1;
  }
  return text.length;
};

/** Returns where the quoted text, the comment or the character ends that begins at a place. */
const endOf = (text: string, start: number): number => {
  if (text[start] === '"') return closing(text, start, (char) => char === '"');
  if (text[start] !== "(") return start + 1;
  let depth = 1;
  return closing(text, start, (char) => {
    if (char === "(") depth += 1;
    if (char === ")") depth -= 1;
    return depth === 0;
  });
};

/** Returns a field of the same length with spaces in place of quoted texts and comments. */
const blankedOf = (text: string): string => {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; ) {
    const end = endOf(text, at);
    pieces.push('"('.includes(text[at] ?? "") ? " ".repeat(end - at) : text.slice(at, end));
    at = end;
  }
  return pieces.join("");
};

/** Returns a Content-Type field, without its last line break, without the marks of protection that its sender has written. */
export const withoutProtectionMarks = (field: string): string => {
  const blanked = blankedOf(field);
  const starts = Array.from(blanked.matchAll(/;/g), ({ index }) => index);
  const marks = starts.flatMap((start, n) =>
    markName.test(blanked.slice(start, starts[n + 1])) ? [{ start, end: starts[n + 1] ?? field.length }] : [],
  );
  if (marks.length === 0) return field;
  const kept = [{ end: 0 }, ...marks].map(({ end }, n) => field.slice(end, marks[n]?.start));
  return kept.join("").trimEnd();
};
