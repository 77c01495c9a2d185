import * as E from "fp-ts/lib/Either.js";
import { parseCsv, plainCell } from "./csv.ts";
import { type ImportRow, type ImportSource, type NamedCells, sourceOf } from "./importSources.ts";

/** The content of an import file. */
export interface ImportFile {
  readonly source: string;
  readonly rows: readonly ImportRow[];
  readonly leftOut: readonly string[];
}

/** The maximum number of characters and rows of a file. */
export const maximumCharacters = 5_000_000;
const maximumRows = 10_000;

interface NumberedCells {
  readonly at: number;
  readonly cells: NamedCells;
  /** The row of a JSON file, not interpreted. */
  readonly item?: unknown;
}

const unknownList =
  "This file is not a list of masks that we know. Choose an export of Bauta, SimpleLogin, addy.io or Firefox Relay, as CSV or JSON.";
const emptyList = "There are no masks in this file.";
const damaged =
  "This JSON file is damaged or its end is missing. Save the export anew, then choose it again.";
const tooLong = `This file is too long: at most ${maximumRows.toLocaleString("en")} masks can be imported at once.`;

const columnName = (column: string): string =>
  column
    .trim()
    .toLowerCase()
    .replace(/^forward_to$/, "forwardto")
    .replace(/^mask$/, "maskemail")
    .replace(/^spam_filter$/, "spamfilter");

const fromCsv = (text: string): readonly NumberedCells[] => {
  const [head, ...records] = parseCsv(text);
  const names = head?.cells.map(columnName) ?? [];
  return records.map(({ line, cells }) => ({
    at: line,
    cells: Object.fromEntries(names.map((name, column) => [name, plainCell(cells[column] ?? "")])),
  }));
};

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const cellText = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? String(value) : "";

/** Finds the list of masks in a JSON document: the document itself or one of its members. */
const listIn = (json: unknown): readonly unknown[] => {
  if (Array.isArray(json)) return json;
  if (!isRecord(json)) return [];
  const lists = ["masks", "aliases", "data", "results"].map((name) => json[name]);
  return lists.find((list): list is unknown[] => Array.isArray(list)) ?? [];
};

const fromJson = (json: unknown): readonly NumberedCells[] =>
  listIn(json).map((item, index) => ({
    at: index + 1,
    item,
    cells: isRecord(item)
      ? Object.fromEntries(Object.entries(item).map(([name, value]) => [columnName(name), cellText(value)]))
      : {},
  }));

const rowOf =
  (source: ImportSource) =>
  ({ at, cells, item }: NumberedCells): ImportRow => {
    const read = source.read(cells, item);
    if (typeof read === "string")
      return { at, kind: "problem", address: cells[source.columns[0] ?? ""] ?? "", message: read };
    return read.description === ""
      ? { at, kind: "problem", address: "", message: "There is neither a description nor an address in it." }
      : { at, kind: "mask", mask: read };
  };

const parsedJson = (text: string): E.Either<null, unknown> =>
  E.tryCatch(
    () => JSON.parse(text) as unknown,
    () => null,
  );

/** Reads a CSV or JSON export of Bauta, SimpleLogin, addy.io or Firefox Relay; left is a message for the user. */
export const readImport = (text: string): E.Either<string, ImportFile> => {
  if (text.length > maximumCharacters) return E.left(tooLong);
  const plain = text.replace(/^\uFEFF/, "").trim();
  if (plain === "") return E.left(emptyList);
  const json = parsedJson(plain);
  if (E.isLeft(json) && /^[[{]/.test(plain)) return E.left(damaged);
  const numbered = E.isRight(json) && typeof json.right === "object" ? fromJson(json.right) : fromCsv(plain);
  if (numbered.length > maximumRows) return E.left(tooLong);
  const columns = new Set(numbered.flatMap(({ cells }) => Object.keys(cells)));
  const source = sourceOf(columns);
  if (numbered.length === 0) return E.left(/[,;{[]/.test(plain) ? emptyList : unknownList);
  if (!source) return E.left(unknownList);
  return E.right({
    source: source.name,
    rows: numbered.map(rowOf(source)),
    leftOut: source.leftOut?.(E.isRight(json)) ?? [],
  });
};
