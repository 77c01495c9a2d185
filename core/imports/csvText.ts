/** One record of a CSV file, and the line it begins on, counted from 1. */
export interface CsvRecord {
  readonly line: number;
  readonly cells: readonly string[];
}

type Delimiter = "," | ";" | "\t";

/** The character that parts the cells: whichever the first line has most of outside of quotes. */
const delimiterOf = (text: string): Delimiter => {
  const [first = ""] = text.replace(/"[^"]*"/g, "").split(/\r?\n/, 1);
  const count = (delimiter: Delimiter): number => first.split(delimiter).length;
  const [best] = ([",", ";", "\t"] as const).toSorted((a, b) => count(b) - count(a));
  return best ?? ",";
};

/** A cell, quoted or not, and what ends it. What follows a closing quote belongs to the cell. */
const cellEndingAt = (delimiter: Delimiter): RegExp => {
  const plain = `(?:(?!\\r?\\n)[^${delimiter}])*`;
  return new RegExp(`(?:"((?:[^"]|"")*)(?:"|$)(${plain})|(${plain}))(${delimiter}|\\r?\\n|$)`, "y");
};

/**
 * Reads CSV (RFC 4180), also with LF alone, a byte order mark, semicolons or tabs. Quoted cells may hold delimiters,
 * quotes and line breaks; empty lines are passed over. A quote that is never closed ends with the text.
 */
export const parseCsv = (csv: string): readonly CsvRecord[] => {
  const text = csv.replace(/^\uFEFF/, "");
  const delimiter = delimiterOf(text);
  const pattern = cellEndingAt(delimiter);
  const records: CsvRecord[] = [];
  let cells: string[] = [];
  let line = 1;
  let begun = 1;
  while (pattern.lastIndex < text.length || cells.length > 0) {
    const [whole = "", quoted, after = "", plain = "", end = ""] = pattern.exec(text) ?? [];
    cells.push(quoted === undefined ? plain : quoted.replaceAll('""', '"') + after);
    line += whole.split("\n").length - 1;
    if (end === delimiter) continue;
    if (cells.length > 1 || cells[0] !== "" || quoted !== undefined) records.push({ line: begun, cells });
    cells = [];
    begun = line;
  }
  return records;
};

/** A spreadsheet takes what begins like this for a formula; an apostrophe before it keeps it text. */
const formula = /^['=+\-@\t\r]/;

const cellOf = (value: string): string => {
  const safe = formula.test(value) ? `'${value}` : value;
  return /[",\r\n;\t]/.test(safe) || safe === "" ? `"${safe.replaceAll('"', '""')}"` : safe;
};

/** Writes CSV (RFC 4180) that a spreadsheet shows as text; `plainCell` gives back what was written. */
export const writeCsv = (records: readonly (readonly string[])[]): string =>
  records.map((cells) => `${cells.map(cellOf).join(",")}\r\n`).join("");

/** A cell as it was before `writeCsv` kept it from being a formula. */
export const plainCell = (cell: string): string =>
  cell.startsWith("'") && formula.test(cell.slice(1)) ? cell.slice(1) : cell;
