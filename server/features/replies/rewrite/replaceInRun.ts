/** A piece of a run: text of one node, which can be written anew. */
export interface Piece {
  readonly text: string;
  readonly write: (text: string) => void;
}

/** A line of a run, between two line breaks. */
export type Line = readonly Piece[];

type Replace = (text: string) => string;

const joined = (pieces: readonly Piece[]): string => pieces.map(({ text }) => text).join("");

/** Returns the number of texts, from the first, that stand one after another at the start of `whole`. */
const countPrefix = (texts: readonly string[], whole: string): number => {
  let at = 0;
  for (const [n, text] of texts.entries()) {
    if (!whole.startsWith(text, at)) return n;
    at += text.length;
  }
  return texts.length;
};

/** The same from the last, at the end of `whole`. */
const countSuffix = (texts: readonly string[], whole: string): number => {
  let end = whole.length;
  for (let n = 0; n < texts.length; n += 1) {
    const text = texts[texts.length - 1 - n] ?? "";
    if (end < text.length || !whole.endsWith(text, end)) return n;
    end -= text.length;
  }
  return texts.length;
};

const lengthOf = (texts: readonly string[]): number => texts.reduce((sum, text) => sum + text.length, 0);

/**
 * Writes `whole`, the replaced text of all units, into them: each unit that is replaced alone as it is within the whole
 * keeps its place, and the units between two such are written as one.
 */
const distribute = <Unit>(
  units: readonly Unit[],
  replacedAlone: readonly string[],
  whole: string,
  write: (some: readonly Unit[], text: string) => void,
): void => {
  const [first] = units;
  if (first === undefined) return;
  const before = Math.min(countPrefix(replacedAlone, whole), units.length - 1);
  const start = lengthOf(replacedAlone.slice(0, before));
  const rest = whole.slice(start);
  const after = Math.min(countSuffix(replacedAlone.slice(before + 1), rest), units.length - before - 1);
  const end = rest.length - lengthOf(replacedAlone.slice(units.length - after));
  const setAlone = (n: number): void => {
    const unit = units[n];
    if (unit !== undefined) write([unit], replacedAlone[n] ?? "");
  };
  for (let n = 0; n < before; n += 1) setAlone(n);
  write(units.slice(before, units.length - after), rest.slice(0, end));
  for (let n = units.length - after; n < units.length; n += 1) setAlone(n);
};

/** The length of what two texts have in common at their ends, from a separator on, so that no address is divided. */
const commonEndLength = (a: string, b: string): number => {
  let length = 0;
  let fromSeparator = 0;
  while (length < a.length && length < b.length && a.at(-1 - length) === b.at(-1 - length)) {
    length += 1;
    if (/[\s<>(),;]/.test(a.at(-length) ?? "")) fromSeparator = length;
  }
  return fromSeparator;
};

/** Writes a text into the first of some pieces; the last keeps what it has at the end of the text. */
const writeAsOne = (pieces: readonly Piece[], text: string): void => {
  // A line break cannot hold text.
  const first = pieces.find((piece) => piece.text !== "\n") ?? pieces[0];
  const last = pieces.at(-1);
  const kept = last === undefined || last === first ? 0 : commonEndLength(text, last.text);
  const textOf = (piece: Piece): string => {
    if (piece === first) return text.slice(0, text.length - kept);
    return piece === last && kept > 0 ? text.slice(-kept) : "";
  };
  for (const piece of pieces) {
    const now = textOf(piece);
    if (now !== piece.text) piece.write(now);
  }
};

const replaceInLine = (line: Line, text: string, replace: Replace): void => {
  if (text === joined(line)) return;
  distribute(
    line,
    line.map((piece) => replace(piece.text)),
    text,
    writeAsOne,
  );
};

/**
 * Replaces in lines that a reader sees one below the other. `replace` is given the text of all of them, so that it
 * finds what stands across pieces and lines; pieces without a finding stay as they are.
 */
export const replaceInRun = (lines: readonly Line[], replace: Replace): void => {
  const all = lines.flat();
  const text = joined(all);
  const replaced = text.trim() === "" ? text : replace(text);
  if (replaced === text) return;
  distribute(
    lines,
    lines.map((line) => replace(joined(line))),
    replaced,
    (some, part) => {
      const [only] = some;
      if (some.length === 1 && only) replaceInLine(only, part, replace);
      else writeAsOne(some.flat(), part);
    },
  );
};
