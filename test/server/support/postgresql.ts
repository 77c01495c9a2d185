import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import pg from "pg";
import { cryptoRandom, systemClock } from "../../../adapters/system/clockAndRandom.ts";
import type { Database } from "../../../server/platform/store/database.ts";
import type { Engine } from "../../../server/platform/store/engine.ts";
import { postgresqlEngine } from "../../../server/platform/store/postgresql.ts";
import { addBystander, bystanderTables } from "./bystander.ts";
import { compareOwned, type OwnedRows } from "./bystanderCheck.ts";
import { ownedTables } from "./sqliteTemplate.ts";

/** Template of new databases: migrated, and with the rows of the bystander alone. */
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

/** Creates a migrated database with the bystander alone; returns its connection string. */
export const newPostgresqlDatabase = (): Promise<string> => newDatabase(templateDatabase);

/** A migrated database with the bystander alone, of one test at a time. */
export interface BorrowedDatabase {
  readonly url: string;
  /** To be called when all its connections are closed. */
  readonly giveBack: () => Promise<void>;
}

const shape = `(select count(*) from pg_attribute join pg_class on attrelid = pg_class.oid
    where relnamespace = 'public'::regnamespace)
  || ' columns, ' || (select count(*) from pg_trigger where not tgisinternal) || ' triggers, '
  || (select count(*) from pg_proc where pronamespace = 'public'::regnamespace) || ' functions'`;

/** More is deleted more slowly than a new database is made. */
const maxEmptiedBytes = 8 * 1024 * 1024;

/**
 * What the template has for the databases that are made of it: the bystander's rows, which each of its tables is to have,
 * and a function that deletes all other rows, drops the parts for spans of time, and counts from 1 again. The function
 * returns the tables that need `vacuum`, the rows of the bystander that a test has changed, and why the database cannot
 * be lent again.
 */
const emptying = `
  create schema bystander;
  create table bystander.tables (position integer primary key, name text, condition text, content text);
  create table bystander.shapes as select ${shape} as shape;
  create function bystander.empty(out touched text[], out changes jsonb, out unfit text) language plpgsql as $$
    declare
      one record;
      gone bigint;
      left_over text;
    begin
      touched := '{}';
      changes := '{}';
      if exists (select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()) then
        unfit := 'somebody is connected';
      elsif (select sum(pg_relation_size(oid)) from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r')
        > ${maxEmptiedBytes} then unfit := 'too much';
      else
        -- All rows that reference others go too.
        if (select rolsuper from pg_roles where rolname = current_user) then
          perform set_config('session_replication_role', 'replica', true);
        end if;
        -- The parts of tables for spans of time; they are made and dropped like rows.
        for one in select relname as name from pg_class
          where relispartition and relkind = 'r' and relname not like '%_default' and relnamespace = 'public'::regnamespace
        loop execute 'drop table ' || quote_ident(one.name); end loop;
        if ${shape} <> (select shapes.shape from bystander.shapes) then
          unfit := 'a test has changed the tables';
          return;
        end if;
      end if;
      -- Rows that reference others come after these.
      for one in select name, coalesce(condition, 'false') as condition, content,
          pg_stat_get_dead_tuples(to_regclass(format('public.%I', name))) as dead
        from bystander.tables where to_regclass(format('public.%I', name)) is not null order by position desc
      loop
        execute format('with gone as (delete from public.%1$I where %3$L and (%2$s) is not true returning 1)
          select (select count(*) from gone),
            (select string_agg(kept::text, e''\\n'' order by kept::text) from public.%1$I as kept where %2$s)',
          one.name, one.condition, unfit is null) into gone, left_over;
        if gone > 0 or one.dead > 0 then touched := touched || one.name; end if;
        if left_over is distinct from one.content then
          changes := changes || jsonb_build_object(one.name, array[one.content, left_over]);
        end if;
      end loop;
      for one in select sequencename as name from pg_sequences where schemaname = 'public'
      loop perform setval(format('public.%I', one.name)::regclass, 1, false); end loop;
    end $$;`;

/** Adds the bystander to a template, and what keeps its rows in the databases that are made of it. */
export const completeTemplate = async (database: Database): Promise<void> => {
  await addBystander(database);
  await sql.raw(emptying).execute(database.db);
  const owned = await ownedTables();
  const { rows } = await sql<{ readonly name: string }>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' and relname not like 'kysely_%'`.execute(
    database.db,
  );
  for (const [index, { name }] of rows.entries()) {
    const table = name.replace(/_default$/, "");
    const condition = owned.get(table) ?? null;
    const position = bystanderTables.indexOf(table);
    await sql`insert into bystander.tables
      select ${position < 0 ? bystanderTables.length + index : position}, ${name}, ${condition},
        (select string_agg(kept::text, e'\n' order by kept::text)
          from ${sql.table(name)} as kept where ${sql.raw(condition ?? "false")})`.execute(database.db);
  }
};

const dropDatabase = async (url: string): Promise<void> => {
  const server = process.env["TEST_POSTGRESQL"] ?? "";
  await runStatement(server, `drop database ${new URL(url).pathname.slice(1)} with (force)`);
};

/** Databases of earlier tests of this process, emptied again: a new one takes thirty times as long. */
const emptied: string[] = [];

interface Emptied {
  readonly touched: readonly string[];
  readonly changes: Readonly<Record<string, readonly [string | null, string | null]>>;
  readonly unfit: string | null;
}

const empty = async (url: string): Promise<Emptied> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const emptied: Emptied = (await client.query("select * from bystander.empty()")).rows[0];
    // An emptied table takes rows in their order again, as a new one does.
    if (emptied.touched.length > 0) await client.query(`vacuum ${emptied.touched.join(", ")}`);
    return emptied;
  } finally {
    await client.end();
  }
};

const giveBackDatabase = async (url: string): Promise<void> => {
  const { changes, unfit } = await empty(url);
  const changed = Object.entries(changes);
  if (unfit === null && changed.length === 0) emptied.push(url);
  else await dropDatabase(url);
  const side = (index: 0 | 1): OwnedRows =>
    new Map(changed.map(([table, rows]) => [table, rows[index] ?? ""]));
  compareOwned(side(0), side(1));
};

/** Lends a migrated database with the bystander alone; what a test has changed but rows does not reach another one. */
export const borrowPostgresqlDatabase = async (): Promise<BorrowedDatabase> => {
  const url = emptied.pop() ?? (await newPostgresqlDatabase());
  return { url, giveBack: () => giveBackDatabase(url) };
};

/** Creates a database without tables; returns its connection string. */
export const newEmptyPostgresqlDatabase = (): Promise<string> => newDatabase("template0");
