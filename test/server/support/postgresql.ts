import { randomBytes } from "node:crypto";
import pg from "pg";
import { cryptoRandom, systemClock } from "../../../adapters/system/clockAndRandom.ts";
import type { Engine } from "../../../server/platform/store/engine.ts";
import { postgresqlEngine } from "../../../server/platform/store/postgresql.ts";

/** Template of new databases: migrated and without rows. */
export const templateDatabase = "bauta_template";

/** Returns the connection string of another database on the same server. */
export const databaseUrl = (server: string, name: string): string =>
  Object.assign(new URL(server), { pathname: `/${name}` }).href;

/** Connects to a database as a process of the server does. */
export const connectPostgresql = (url: string): Engine =>
  postgresqlEngine(url, { clock: systemClock, random: cryptoRandom });

/** Runs one statement on a new connection; returns its rows. */
export const runStatement = async (
  connectionString: string,
  statement: string,
): Promise<readonly unknown[]> => {
  const client = new pg.Client({ connectionString });
  try {
    await client.connect();
    return (await client.query(statement)).rows;
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

/** A migrated database without rows, of one test at a time. */
export interface BorrowedDatabase {
  readonly url: string;
  /** To be called when all its connections are closed. */
  readonly giveBack: () => Promise<void>;
}

const shape = `(select count(*) from pg_attribute join pg_class on attrelid = pg_class.oid
    where relnamespace = 'public'::regnamespace)
  || ' columns, ' || (select count(*) from pg_trigger where not tgisinternal) || ' triggers, '
  || (select count(*) from pg_proc where pronamespace = 'public'::regnamespace) || ' functions'`;

/** Deletes all rows but those of the migrations and the parts for spans of time, and counts from 1 again. Fails when the database cannot be lent again. */
const emptying = (expectedShape: string): string => `do $$
  declare
    one record;
    filled text;
  begin
    if exists (select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()) then
      raise exception 'somebody is connected';
    end if;
    -- The parts of tables for spans of time; they are made and dropped like rows.
    for one in select relname as name from pg_class
      where relispartition and relkind = 'r' and relname not like '%_default' and relnamespace = 'public'::regnamespace
    loop execute 'drop table ' || quote_ident(one.name); end loop;
    if ${shape} <> '${expectedShape}' then raise exception 'a test has changed the tables'; end if;
    -- An emptied table takes rows in their order again, as a new one does; one without pages has had none.
    select string_agg(quote_ident(tablename), ', ') into filled from pg_tables
      where schemaname = 'public' and tablename not like 'kysely_migration%'
        and pg_relation_size(format('%I.%I', schemaname, tablename)::regclass) > 0;
    if filled is not null then execute 'truncate ' || filled || ' cascade'; end if;
    for one in select sequencename as name from pg_sequences where schemaname = 'public'
    loop perform setval(quote_ident(one.name)::regclass, 1, false); end loop;
  end $$`;

/** Whether a statement has raised an exception of its own: the database cannot be lent again. */
const isUnfit = (error: unknown): boolean => error instanceof pg.DatabaseError && error.code === "P0001";

const dropDatabase = async (url: string): Promise<void> => {
  const server = process.env["TEST_POSTGRESQL"] ?? "";
  await runStatement(server, `drop database ${new URL(url).pathname.slice(1)} with (force)`);
};

let emptyIt: string | undefined;
/** Databases of earlier tests of this process, emptied again: a new one takes thirty times as long. */
const emptied: string[] = [];

/** Lends a migrated database without rows; what a test has changed but rows does not reach another one. */
export const borrowPostgresqlDatabase = async (): Promise<BorrowedDatabase> => {
  const url = emptied.pop() ?? (await newPostgresqlDatabase());
  if (emptyIt === undefined) {
    const [row] = await runStatement(url, `select ${shape} as shape`);
    emptyIt = emptying((row as { readonly shape: string }).shape);
  }
  const statement = emptyIt;
  return {
    url,
    giveBack: () =>
      runStatement(url, statement).then(
        () => void emptied.push(url),
        async (error: unknown) => {
          if (!isUnfit(error)) throw error;
          await dropDatabase(url);
        },
      ),
  };
};

/** Creates a database without tables; returns its connection string. */
export const newEmptyPostgresqlDatabase = (): Promise<string> => newDatabase("template0");
