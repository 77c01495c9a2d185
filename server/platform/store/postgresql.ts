import { CompiledQuery, type Kysely, PostgresDialect, sql } from "kysely";
import pg from "pg";
import type { Engine, RowStatement, SqlValue } from "./engine.ts";
import { createPostgresqlChannel } from "./postgresqlChannel.ts";
import { createPostgresqlTransactions, type TransactionDeps } from "./postgresqlTransactions.ts";
import type { Tables } from "./tables.ts";

const int8 = 20;
const uniqueViolation = "23505";
/** A longer wait looks like a hanging process. */
const connectTimeoutMs = 10_000;
const weakCommits = new Set(["off", "local"]);

const rowTexts = new WeakMap<RowStatement, string>();

/** The rows are passed as one array for each column. */
const rowText = (statement: RowStatement): string => {
  const known = rowTexts.get(statement);
  if (known !== undefined) return known;
  const columns = Object.entries(statement.columns);
  const arrays = columns.map(([, type], n) => `$${n + 1}::${type}[]`);
  const names = columns.map(([name]) => name);
  const text = statement.text(
    `unnest(${arrays.join(", ")}) as given(${names.join(", ")})`,
    (column) => arrays[names.indexOf(column)] ?? null,
  );
  rowTexts.set(statement, text);
  return text;
};

const names = new Map<string, string>();

const statementName = (text: string): string => {
  const name = names.get(text) ?? `read${names.size}`;
  names.set(text, name);
  return name;
};

/** Time and chance of the pause before a transaction runs again. */
export type PostgresqlDeps = Pick<TransactionDeps, "clock" | "random">;

/** Connects to PostgreSQL 15 or later. Integers are returned as numbers, as SQLite does. */
export const postgresqlEngine = (url: string, deps: PostgresqlDeps): Engine => {
  pg.types.setTypeParser(int8, Number);
  const pool = new pg.Pool({ connectionString: url, max: 10 });
  // The pool has removed a failed idle connection; the next query opens another.
  pool.on("error", () => {});
  // The query or transaction that uses a failed connection rejects; an unheard error would end the process.
  pool.on("connect", (client) => client.on("error", () => {}));
  const read = async <Row>(text: string, values: readonly SqlValue[]) =>
    (await pool.query({ name: statementName(text), text, values: [...values] })).rows as Row[];
  const channel = createPostgresqlChannel(url, pool);
  return {
    name: "postgresql",
    binaryType: "bytea",
    autoIncrementType: sql`bigint generated always as identity`,
    jsonRows: (json) => sql`jsonb_array_elements(cast(${json} as jsonb)) as each(value)`,
    runRows: async <Row>(
      transaction: Pick<Kysely<Tables>, "executeQuery">,
      statement: RowStatement,
      rows: readonly (readonly SqlValue[])[],
    ) => {
      if (rows.length === 0) return [];
      const arrays = Object.keys(statement.columns).map((_, n) => rows.map((row) => row[n]));
      const query = CompiledQuery.raw(rowText(statement), arrays);
      return (await transaction.executeQuery<Row>(query)).rows;
    },
    read,
    // A change by another process may be committed at any time.
    readCached: read,
    isDuplicate: (error) => error instanceof Error && "code" in error && error.code === uniqueViolation,
    findDurabilityProblem: async () => {
      const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: connectTimeoutMs });
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
  };
};
