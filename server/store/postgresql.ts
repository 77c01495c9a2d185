import { PostgresDialect, sql } from "kysely";
import pg from "pg";
import type { Engine } from "./engine.ts";

const int8 = 20;
const uniqueViolation = "23505";
/** A start that waits longer than this looks like a hanging process. */
const connectTimeoutMs = 10_000;
const weakCommits = new Set(["off", "local"]);

/** Connects to PostgreSQL 15 or later. Integers are returned as numbers, as SQLite does. */
export const postgresqlEngine = (url: string): Engine => {
  pg.types.setTypeParser(int8, Number);
  const pool = new pg.Pool({ connectionString: url, max: 10 });
  // The pool has removed a connection that failed while idle; the next query opens another.
  pool.on("error", () => {});
  return {
    name: "postgresql",
    binaryType: "bytea",
    autoIncrementType: sql`bigint generated always as identity`,
    jsonRows: (json) => sql`jsonb_array_elements(cast(${json} as jsonb)) as each(value)`,
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
    purgeDeleted: async () => {},
    dialect: new PostgresDialect({ pool }),
  };
};
