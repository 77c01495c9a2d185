import * as t from "io-ts";

/**
 * A backup is a gzip file of JSON lines: a head, the files of the data folder, each table with its rows, and an
 * end with their counts, which proves completeness. It can be restored into SQLite and PostgreSQL.
 */
const Head = t.type({
  format: t.literal("bauta-backup"),
  version: t.literal(1),
  createdAt: t.string,
  /** The applied migrations. */
  migrations: t.array(t.string),
});
const DataFile = t.type({ file: t.string, content: t.string });
const TableHead = t.type({ table: t.string, columns: t.array(t.string) });
const Bytes = t.type({ base64: t.string });
const Cell = t.union([t.string, t.number, t.null, Bytes]);
const Row = t.type({ row: t.array(Cell) });
const End = t.type({ end: t.literal(true), rows: t.number, files: t.number });

/** One line of a backup. */
export const Line = t.union([Row, Head, DataFile, TableHead, End]);
export type Line = t.TypeOf<typeof Line>;
export type BackupHead = t.TypeOf<typeof Head>;
type Cell = t.TypeOf<typeof Cell>;

/** A value of a column as the databases return it. */
export type ColumnValue = string | number | null | Uint8Array;

export const toCell = (value: unknown): Cell => {
  if (value instanceof Uint8Array) return { base64: Buffer.from(value).toString("base64") };
  if (typeof value === "bigint") return Number(value);
  if (value === null || typeof value === "string" || typeof value === "number") return value;
  throw new Error(`a column has a value of type ${typeof value}, which backups do not know`);
};

export const fromCell = (cell: Cell): ColumnValue =>
  typeof cell === "object" && cell !== null ? Buffer.from(cell.base64, "base64") : cell;

/** True if a file of the data folder is backed up beside the database, such as the installation's keys. */
export const isBackedUpFile = (path: string): boolean =>
  /^(?:[a-z]+\.key|outbox\/[^/]+|spool\/[^/]+|segments\/[^/]+|tls\/[^/]+)$/.test(path) &&
  !path.split("/").includes("..");
