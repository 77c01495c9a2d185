import * as E from "fp-ts/lib/Either.js";
import { parseCsv, plainCell } from "../kernel/csv.ts";
import { exportFormat } from "./accountDataEndpoints.ts";
import { readParts } from "./importParts.ts";
import { type ImportRow, type ImportSource, ownSource, sourceOf } from "./importSources.ts";
import { cellName, type NamedCells, namesOfCells } from "./masksCsv.ts";

/** The content of an import file. */
export interface ImportFile {
  readonly source: string;
  readonly rows: readonly ImportRow[];
  /** The parts that are imported beside the masks; only our own files have them. */
  readonly parts: ReturnType<typeof readParts>;
  /** The domains of our own files as they are in them; null in others. */
  readonly domains: unknown;
  /** The unit that `at` of a row counts. */
  readonly unit: "Line" | "Entry";
  readonly leftOut: readonly string[];
}

/** The maximum number of characters and rows of a file. */
export const maximumCharacters = 20_000_000;
const maximumRows = 10_000;

interface NumberedCells {
  readonly at: number;
  readonly cells: NamedCells;
  /** The row of a JSON file, not interpreted. */
  readonly item?: unknown;
  /** The reason for which the row of a CSV file is not one of its table. */
  readonly problem?: string;
}

const unknownList =
  "This file is not a list of masks that can be imported. Choose an export of Bauta, SimpleLogin, addy.io or Firefox Relay, as CSV or JSON.";
const emptyList = "There are no masks in this file.";
const damaged = "This JSON file is damaged or incomplete. Save the export again, then choose it here.";
const tooLong = `This file is too long: at most ${maximumRows.toLocaleString()} masks can be imported at once.`;

const fromCsv = (text: string): readonly NumberedCells[] => {
  const [head, ...records] = parseCsv(text);
  const names = head?.cells.map(cellName) ?? [];
  return records.map(({ line, cells }) => ({
    at: line,
    ...(cells.length !== names.length && {
      problem: `It has ${cells.length} cells, but the table has ${names.length} columns.`,
    }),
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
      ? Object.fromEntries(Object.entries(item).map(([name, value]) => [cellName(name), cellText(value)]))
      : {},
  }));

const rowOf =
  (source: ImportSource) =>
  ({ at, cells, item, problem }: NumberedCells): ImportRow => {
    // Other services leave out the last cells.
    const read = (source === ownSource && problem) || source.read(cells, item);
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

interface ReadTable {
  readonly isJson: boolean;
  readonly numbered: readonly NumberedCells[];
  /** The document of an own export. */
  readonly own: Readonly<Record<string, unknown>> | null;
}

const readTable = (plain: string): E.Either<string, ReadTable> => {
  const json = parsedJson(plain);
  if (E.isLeft(json) && /^[[{]/.test(plain)) return E.left(damaged);
  if (E.isLeft(json) || typeof json.right !== "object")
    return E.right({ isJson: false, numbered: fromCsv(plain), own: null });
  const document = isRecord(json.right) ? json.right : {};
  const own = document["format"] === exportFormat ? document : null;
  return E.right({ isJson: true, numbered: fromJson(json.right), own });
};

const toImportFile = (plain: string, { isJson, numbered, own }: ReadTable): E.Either<string, ImportFile> => {
  if (numbered.length > maximumRows) return E.left(tooLong);
  const columns = new Set(numbered.flatMap(({ cells }) => Object.keys(cells)));
  const source = own ? ownSource : sourceOf(columns);
  const parts =
    source === ownSource ? readParts(own ?? namesOfCells(numbered.map(({ cells }) => cells))) : [];
  if (numbered.length === 0 && parts.length === 0)
    return E.left(/[,;{[]/.test(plain) ? emptyList : unknownList);
  if (!source) return E.left(unknownList);
  return E.right({
    source: source.name,
    rows: numbered.map(rowOf(source)),
    parts,
    domains: own?.["domains"] ?? null,
    unit: isJson ? "Entry" : "Line",
    leftOut: source.leftOut?.(isJson) ?? [],
  });
};

/** Reads a CSV or JSON export of Bauta, SimpleLogin, addy.io or Firefox Relay; left is a message for the user. */
export const readImport = (text: string): E.Either<string, ImportFile> => {
  if (text.length > maximumCharacters) return E.left(tooLong);
  const plain = text.replace(/^\uFEFF/, "").trim();
  if (plain === "") return E.left(emptyList);
  const table = readTable(plain);
  return E.isLeft(table) ? table : toImportFile(plain, table.right);
};
