import { PostgresDialect, sql } from "kysely";
import pg from "pg";
import type { Engine } from "./dialect.ts";

const int8 = 20;
const uniqueViolation = "23505";
/** A start that waits longer looks like one that hangs. */
const connectWithinMs = 10_000;
const weakCommits = new Set(["off", "local"]);

/** Connects to PostgreSQL 15 or later. Whole numbers come back as numbers, as SQLite gives them. */
export const postgresqlEngine = (url: string): Engine => {
  pg.types.setTypeParser(int8, Number);
  const pool = new pg.Pool({ connectionString: url, max: 10 });
  // A connection that dies while nobody uses it: the pool has let it go already, and the next query opens another.
  pool.on("error", () => {});
  return {
    name: "postgresql",
    bytes: "bytea",
    increasing: sql`bigint generated always as identity`,
    each: (json) => sql`jsonb_array_elements(cast(${json} as jsonb)) as each(value)`,
    isDuplicate: (error) => error instanceof Error && "code" in error && error.code === uniqueViolation,
    weakness: async () => {
      const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: connectWithinMs });
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
    forget: async () => {},
    dialect: new PostgresDialect({ pool }),
  };
};
