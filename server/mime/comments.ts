/** Returns the offset after the closing character and what is before it; null when it is missing. */
export const readQuoted = (value: string, start: number): readonly [end: number, content: string] | null => {
  let content = "";
  for (let at = start; at < value.length; at += 1) {
    const character = value[at];
    if (character === '"') return [at + 1, content];
    if (character === "\\") at += 1;
    content += value[at] ?? "";
  }
  return null;
};

/** The same for a comment, which may contain comments (RFC 5322, 3.2.2). */
export const readComment = (value: string, start: number): readonly [end: number, content: string] | null => {
  let depth = 1;
  let content = "";
  for (let at = start; at < value.length; at += 1) {
    const character = value[at];
    if (character === "(") depth += 1;
    if (character === ")") depth -= 1;
    if (depth === 0) return [at + 1, content];
    if (character === "\\") at += 1;
    content += value[at] ?? "";
  }
  return null;
};

/** A character that no address has, in its host or its local part. */
const separator = "[";

const atom = /[^\s()<>[\]:;@\\,."]/;
const isAtom = (character = ""): boolean => atom.test(character);
const isBlank = (character = ""): boolean => character === " " || character === "\t";

/** Returns the offset after all comments and blanks that begin here; null when a comment is not closed. */
const skipComments = (value: string, start: number): number | null => {
  let at = start;
  while (value[at] === "(" || isBlank(value[at])) {
    const read = value[at] === "(" ? readComment(value, at + 1) : ([at + 1] as const);
    if (!read) return null;
    [at] = read;
  }
  return at;
};

/** Returns the offset after a quoted string, comments or one character; null for what is not closed. */
const skipToken = (value: string, at: number): number | null => {
  const character = value[at];
  if (character === "(") return skipComments(value, at);
  if (character === '"') return readQuoted(value, at + 1)?.[0] ?? null;
  return character === "\\" ? at + 2 : at + 1;
};

/**
 * Returns the value of an address field with a sign between words that only a comment separates, without blanks on both
 * sides: a parser that drops comments joins them to an address that nobody wrote, which the sign makes none.
 */
export const separateWords = (value: string): string => {
  const pieces: string[] = [];
  let copied = 0;
  let before = "";
  for (let at: number | null = 0, end: number | null; at !== null && at < value.length; at = end) {
    const character = value.charAt(at);
    end = skipToken(value, at);
    if (character !== "(") before = isBlank(character) ? before : character;
    else if (end !== null && isAtom(before) && isAtom(value[end])) {
      const isApart = isBlank(value[at - 1]) && isBlank(value[end - 1]);
      pieces.push(value.slice(copied, end), isApart ? "" : separator);
      copied = end;
    }
  }
  return pieces.join("") + value.slice(copied);
};
