import { randomBytes } from "node:crypto";
import pg from "pg";

/** The database that new ones are copied from: migrated and empty. */
export const templateDatabase = "bauta_template";

/** The connection string to another database of the same server. */
export const databaseUrl = (server: string, name: string): string =>
  Object.assign(new URL(server), { pathname: `/${name}` }).href;

/** Runs one statement on a connection of its own. */
export const runStatement = async (connectionString: string, statement: string): Promise<void> => {
  const client = new pg.Client({ connectionString });
  try {
    await client.connect();
    await client.query(statement);
  } finally {
    await client.end().catch(() => {});
  }
};

/** Whether this run has a PostgreSQL (test/support/services.mjs starts it). */
export const hasPostgresql = (): boolean => process.env["TEST_POSTGRESQL"] !== undefined;

/** Creates a database of the run's PostgreSQL, migrated and without rows; answers its connection string. */
export const newPostgresqlDatabase = async (): Promise<string> => {
  const server = process.env["TEST_POSTGRESQL"];
  if (server === undefined) throw new Error("this run has no PostgreSQL");
  const name = `test_${randomBytes(8).toString("hex")}`;
  await runStatement(server, `create database ${name} template ${templateDatabase}`);
  return databaseUrl(server, name);
};
