import type { Dialect, Kysely, RawBuilder } from "kysely";
import type { StandbyReads } from "./standbyReads.ts";
import type { Tables } from "./tables.ts";

/** A parameter of a statement. */
export type SqlValue = null | number | string | Uint8Array;

export type RowColumns = Readonly<Record<string, "text" | "bigint" | "bytea">>;

/** A prepared statement that runs for many rows. */
export interface RowStatement {
  /** The columns of a row, in the order of its values. */
  readonly columns: RowColumns;
  /**
   * Returns its text; `rows` names a table that has the columns. `arrayOf` returns all values of a column as an array,
   * by which PostgreSQL finds the parts of a table to look into; null on SQLite.
   */
  readonly text: (rows: string, arrayOf: (column: string) => string | null) => string;
}

/** Runs work in one transaction; work may run several times, but is stored once. */
export type RunInTransaction = <A>(work: (db: Kysely<Tables>) => Promise<A>) => Promise<A>;

/** Notifies all processes on the same database, this one too, of committed events. */
export interface Channel {
  /** The users whose changes were committed and have not been announced yet. */
  readonly changed: Set<string>;
  /** Announces the changed users to all processes; consecutive calls may be combined. */
  readonly announce: () => void;
  /** Calls `onAnnounced` with the users of each announcement, and with null after a gap: any user may have changed. */
  readonly listen: (onAnnounced: (userIds: readonly string[] | null) => void) => () => void;
}

/** The differences between the two databases. */
export interface Engine {
  readonly name: "sqlite" | "postgresql";
  readonly dialect: Dialect;
  /** Connects to the server itself, for migrations, where a pooler stands in front; null elsewhere. */
  readonly directDialect: () => Dialect | null;
  /** Returns the function that runs all transactions of a handle. */
  readonly createTransactions: (db: Kysely<Tables>) => RunInTransaction;
  /** Returns what reads on a standby, where there is one. */
  readonly createStandbyReads: (db: Kysely<Tables>) => StandbyReads;
  /** Returns what is wrong with the addresses of the database beside each other, for the operator; null: nothing. */
  readonly findAddressProblem: () => Promise<string | null>;
  /** Returns the rows of a JSON array of arrays as a table `each`, whose fields are `each.value ->> n`. */
  readonly jsonRows: (json: string) => RawBuilder<unknown>;
  /** Runs a prepared statement for many rows in a transaction; no two rows may change the same row of a table. */
  readonly runRows: <Row>(
    transaction: Pick<Kysely<Tables>, "executeQuery">,
    statement: RowStatement,
    rows: readonly (readonly SqlValue[])[],
  ) => Promise<readonly Row[]>;
  /**
   * Runs a query on committed data without the cost of building it; parameters are `$1`, `$2` and so on. Where all are texts,
   * PostgreSQL answers calls that come together by one query. The rows must not be changed.
   */
  readonly read: <Row>(text: string, values: readonly SqlValue[]) => Promise<readonly Row[]>;
  /**
   * Runs a query like `read`; SQLite keeps the rows until one of the tables and columns that the query names changes.
   * The rows must not be changed.
   */
  readonly readCached: <Row>(text: string, values: readonly SqlValue[]) => Promise<readonly Row[]>;
  /** True if an error means that a unique value already exists. */
  readonly isDuplicate: (error: unknown) => boolean;
  /** Returns why a power cut could lose a committed transaction; null when it cannot (D44). */
  readonly findDurabilityProblem: () => Promise<string | null>;
  /** Null for a database of one machine, where polling twice a second is enough. */
  readonly channel: Channel | null;
  /** Removes deleted content from the database files, as far as the engine can. */
  readonly purgeDeleted: () => Promise<void>;
}
