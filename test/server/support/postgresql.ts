import { randomBytes } from "node:crypto";
import pg from "pg";

/** Template of new databases: migrated and without rows. */
export const templateDatabase = "bauta_template";

/** Returns the connection string of another database on the same server. */
export const databaseUrl = (server: string, name: string): string =>
  Object.assign(new URL(server), { pathname: `/${name}` }).href;

/** Runs one statement on a new connection. */
export const runStatement = async (connectionString: string, statement: string): Promise<void> => {
  const client = new pg.Client({ connectionString });
  try {
    await client.connect();
    await client.query(statement);
  } finally {
    await client.end().catch(() => {});
  }
};

/** Whether a PostgreSQL server is available (test/support/services.mjs starts it). */
export const hasPostgresql = (): boolean => process.env["TEST_POSTGRESQL"] !== undefined;

const newDatabase = async (template: string): Promise<string> => {
  const server = process.env["TEST_POSTGRESQL"];
  if (server === undefined) throw new Error("this run has no PostgreSQL");
  const name = `test_${randomBytes(8).toString("hex")}`;
  await runStatement(server, `create database ${name} template ${template}`);
  return databaseUrl(server, name);
};

/** Creates a migrated database without rows; returns its connection string. */
export const newPostgresqlDatabase = (): Promise<string> => newDatabase(templateDatabase);

/** Creates a database without tables; returns its connection string. */
export const newEmptyPostgresqlDatabase = (): Promise<string> => newDatabase("template0");
