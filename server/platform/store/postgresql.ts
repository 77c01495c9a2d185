import { CompiledQuery, type Kysely, PostgresDialect, sql } from "kysely";
import pg from "pg";
import type { Clock } from "../../../core/ports/clock.ts";
import { errorCode } from "../errors/errorCode.ts";
import type { Engine, RowStatement, SqlValue } from "./engine.ts";
import { createNamedReads } from "./namedReads.ts";
import { findAddressProblem } from "./postgresqlAddresses.ts";
import { type ChannelDeps, createPostgresqlChannel } from "./postgresqlChannel.ts";
import { rowQuery } from "./postgresqlRows.ts";
import { createPostgresqlTransactions, type TransactionDeps } from "./postgresqlTransactions.ts";
import { createSharedReads } from "./sharedReads.ts";
import { createStandbyReads, noStandby, type ReadPlace } from "./standbyReads.ts";
import type { Tables } from "./tables.ts";

const int8 = 20;
const uniqueViolation = "23505";
/** A longer wait looks like a hanging process. */
const connectTimeoutMs = 10_000;
/** Of a process to the database. */
const maxConnections = 10;
const weakCommits = new Set(["off", "local"]);

/** Time and chance of the pause before a transaction runs again, and who hears of what an operator should know. */
export interface PostgresqlDeps {
  readonly clock: Pick<Clock, "now" | "scheduler">;
  readonly random: TransactionDeps["random"] & ChannelDeps["random"];
  readonly report?: (line: string) => void;
  /** Called with the server on which a read that may run on a standby has run. */
  readonly onReadAside?: (place: ReadPlace) => void;
}

export interface PostgresqlOptions {
  /** The server itself, where a pooler stands at the URL: for LISTEN, migrations and the check of durability. */
  readonly directUrl?: string | null;
  /** A standby, for reads that take long; null without one. */
  readonly readUrl?: string | null;
  /** True if processes tell each other of changes by NOTIFY; otherwise they find them twice a second. */
  readonly notifies?: boolean;
}

const createPool = (url: string, max: number): pg.Pool => {
  const pool = new pg.Pool({ connectionString: url, max });
  // The pool has removed a failed idle connection; the next query opens another.
  pool.on("error", () => {});
  // NOTE: the pool hears errors of idle connections only. One in use rejects its query, and emits an error beside, which would end
  // the process if nobody heard it.
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
};

/**
 * Connects to PostgreSQL 15 or later, or to a pooler in front of it that gives a connection to others after each
 * transaction. Integers are returned as numbers, as SQLite does.
 */
export const postgresqlEngine = (
  url: string,
  deps: PostgresqlDeps,
  { directUrl, readUrl, notifies = true }: PostgresqlOptions = {},
): Engine => {
  pg.types.setTypeParser(int8, Number);
  const direct = directUrl ?? url;
  const report = deps.report ?? (() => {});
  const pool = createPool(url, maxConnections);
  const query = createNamedReads(pool, report);
  const readShared = createSharedReads(query);
  const read = async <Row>(text: string, values: readonly SqlValue[]) =>
    (await (values.every((value) => typeof value === "string")
      ? readShared(text, values)
      : query(text, values))) as readonly Row[];
  const channel = createPostgresqlChannel({ directUrl: direct, pool, notifies, random: deps.random, report });
  return {
    name: "postgresql",
    jsonRows: (json) => sql`jsonb_array_elements(cast(${json} as jsonb)) as each(value)`,
    runRows: async <Row>(
      transaction: Pick<Kysely<Tables>, "executeQuery">,
      statement: RowStatement,
      rows: readonly (readonly SqlValue[])[],
    ) => {
      if (rows.length === 0) return [];
      const { text, parameters } = rowQuery(statement, rows);
      return (await transaction.executeQuery<Row>(CompiledQuery.raw(text, [...parameters]))).rows;
    },
    read,
    // Nothing is kept, because a change by another process may be committed at any time.
    readCached: read,
    isDuplicate: (error) => errorCode(error) === uniqueViolation,
    findDurabilityProblem: async () => {
      const client = new pg.Client({ connectionString: direct, connectionTimeoutMillis: connectTimeoutMs });
      client.on("error", () => {});
      try {
        await client.connect();
        const { rows } = await client.query<{ synchronous_commit: string }>("show synchronous_commit");
        return weakCommits.has(rows[0]?.synchronous_commit ?? "off")
          ? "PostgreSQL must run with synchronous_commit=on"
          : null;
      } finally {
        await client.end();
      }
    },
    channel,
    createTransactions: (db) => createPostgresqlTransactions(db, { ...deps, channel }),
    purgeDeleted: async () => {},
    dialect: new PostgresDialect({ pool }),
    createStandbyReads: (db) =>
      readUrl
        ? createStandbyReads(readUrl, {
            primary: db,
            clock: deps.clock,
            report,
            onRead: deps.onReadAside ?? (() => {}),
          })
        : noStandby(db),
    findAddressProblem: () =>
      findAddressProblem({ url, directUrl: directUrl ?? null, readUrl: readUrl ?? null }),
    directDialect: () =>
      direct === url ? null : new PostgresDialect({ pool: createPool(direct, maxConnections) }),
  };
};
