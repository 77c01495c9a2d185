import type { ColumnDataType, Dialect, Expression, Kysely, RawBuilder } from "kysely";
import type { Tables } from "./tables.ts";

/** What a statement can be given for a column. */
export type SqlValue = null | number | string | Uint8Array;

export type RowColumns = Readonly<Record<string, "text" | "bigint" | "bytea">>;

/** A statement that is prepared once and runs for many rows. */
export interface RowStatement {
  /** The columns of a row, in the order of its values. */
  readonly columns: RowColumns;
  /** Returns its text; `rows` names a table that has the columns. */
  readonly text: (rows: string) => string;
}

/** How processes on one database tell each other that events were committed. */
export interface Channel {
  /** Tells all processes; several calls in a row may become one. */
  readonly announce: () => void;
  /** Calls `onAnnounced` after each announcement, and after each gap in which some may have been missed. */
  readonly listen: (onAnnounced: () => void) => () => void;
}

/** What differs between the two databases; all queries are otherwise the same. */
export interface Engine {
  readonly name: "sqlite" | "postgresql";
  readonly dialect: Dialect;
  /** The column type of binary content. */
  readonly binaryType: ColumnDataType;
  /** The column type of a number that the database increments by itself. */
  readonly autoIncrementType: ColumnDataType | Expression<unknown>;
  /** Returns the rows of a JSON array of arrays as a table `each`, whose fields are `each.value ->> n`. */
  readonly jsonRows: (json: string) => RawBuilder<unknown>;
  /**
   * Runs a statement for many rows inside a transaction, without the cost of building a query. Returns what it
   * returns; no two rows may change the same row of a table.
   */
  readonly runRows: <Row>(
    transaction: Pick<Kysely<Tables>, "executeQuery">,
    statement: RowStatement,
    rows: readonly (readonly SqlValue[])[],
  ) => Promise<readonly Row[]>;
  /** Reads what is committed, without the cost of building a query; parameters are `$1`, `$2` and so on. */
  readonly read: <Row>(text: string, values: readonly SqlValue[]) => Promise<readonly Row[]>;
  /** Returns whether an error means that a unique value already exists. */
  readonly isDuplicate: (error: unknown) => boolean;
  /** Returns why a power cut could lose a committed transaction; null when it cannot (D44). */
  readonly findDurabilityProblem: () => Promise<string | null>;
  /** Null for a database that one machine uses, where reading twice a second is enough. */
  readonly channel: Channel | null;
  /** Runs work that one process is enough for, unless another process runs it now. */
  readonly alone: (name: string, work: () => Promise<void>) => Promise<void>;
  /** Removes deleted content from the database files, as far as the engine can. */
  readonly purgeDeleted: () => Promise<void>;
}
