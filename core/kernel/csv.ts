/** A record of a CSV file and the line on which it starts, counted from 1. */
export interface CsvRecord {
  readonly line: number;
  readonly cells: readonly string[];
}

type Delimiter = "," | ";" | "\t";

/** Detects the delimiter: the one that occurs most often outside quotes in the first line. */
const delimiterOf = (text: string): Delimiter => {
  const [first = ""] = text.replace(/"[^"]*"/g, "").split(/\r?\n/, 1);
  const count = (delimiter: Delimiter): number => first.split(delimiter).length;
  const [best] = ([",", ";", "\t"] as const).toSorted((a, b) => count(b) - count(a));
  return best ?? ",";
};

/** Returns the pattern of a cell and its end; text after a closing quote belongs to the cell. */
const cellEndingAt = (delimiter: Delimiter): RegExp => {
  const plain = `(?:(?!\\r?\\n)[^${delimiter}])*`;
  return new RegExp(`(?:"((?:[^"]|"")*)(?:"|$)(${plain})|(${plain}))(${delimiter}|\\r?\\n|$)`, "y");
};

/**
 * Parses CSV (RFC 4180); also accepts LF, a byte order mark, semicolons and tabs. Quoted cells may contain delimiters,
 * quotes and line breaks; empty lines are skipped. An unclosed quote ends with the text.
 */
export const parseCsv = (csv: string): readonly CsvRecord[] => {
  const text = csv.replace(/^\uFEFF/, "");
  const delimiter = delimiterOf(text);
  const pattern = cellEndingAt(delimiter);
  const records: CsvRecord[] = [];
  let cells: string[] = [];
  let line = 1;
  let startLine = 1;
  while (pattern.lastIndex < text.length || cells.length > 0) {
    const [match = "", quoted, after = "", plain = "", end = ""] = pattern.exec(text) ?? [];
    cells.push(quoted === undefined ? plain : quoted.replaceAll('""', '"') + after);
    line += match.split("\n").length - 1;
    if (end === delimiter) continue;
    if (cells.length > 1 || cells[0] !== "" || quoted !== undefined) records.push({ line: startLine, cells });
    cells = [];
    startLine = line;
  }
  return records;
};

/** Cells that a spreadsheet would read as a formula; a leading apostrophe prevents that. */
const formula = /^['=+\-@\t\r]/;

/** Returns a cell that no spreadsheet reads as a formula. */
export const harmlessCell = (value: string): string => (formula.test(value) ? `'${value}` : value);

const cellOf = (value: string): string => {
  const safe = harmlessCell(value);
  return /[",\r\n;\t]/.test(safe) || safe === "" ? `"${safe.replaceAll('"', '""')}"` : safe;
};

/** Formats CSV (RFC 4180) whose cells a spreadsheet does not run as formulas; `plainCell` reverses the escaping. */
export const writeCsv = (records: readonly (readonly string[])[]): string =>
  records.map((cells) => `${cells.map(cellOf).join(",")}\r\n`).join("");

/** Removes the apostrophe that `writeCsv` puts before a formula. */
export const plainCell = (cell: string): string =>
  cell.startsWith("'") && formula.test(cell.slice(1)) ? cell.slice(1) : cell;
