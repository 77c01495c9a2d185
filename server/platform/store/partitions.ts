import { type RawBuilder, type SqlBool, sql } from "kysely";
import { errorCode } from "../errors/errorCode.ts";
import type { Database, Db } from "./database.ts";

/** A table that PostgreSQL keeps in parts, one for each span of time, and one for what is in none of them. */
export interface PartitionedTable {
  readonly name: "queue" | "events";
  /** The column that decides about the part. */
  readonly key: "id" | "created_at";
  /** The key that begins at a time. */
  readonly keyAt: (time: number) => string | number;
  /** The time that a part lasts: a day, or a number of hours that divides it. */
  readonly spanMs: number;
  /** The time, before its span begins, at which a part is made. */
  readonly aheadMs: number;
}

/** A part of a table, and the span of time whose rows it has. */
export interface Partition {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** Others wait no longer for a part that is made or dropped; what does not succeed is done at the next time. */
const lockTimeout = "300ms";
/** More rows would be moved for so long that mail waits. */
const maxMoved = 20_000;
const lockNotAvailable = "55P03";

/** "queue_2026_11_20_00": the hour in UTC. */
const nameOf = ({ name }: PartitionedTable, start: number): string =>
  `${name}_${new Date(start).toISOString().slice(0, 13).replaceAll(/[-T]/g, "_")}`;

/** The part for what is in no other one. */
const restOf = ({ name }: PartitionedTable): string => `${name}_default`;

const startOf = (name: string): number => {
  const [hour = 0, day = 1, month = 1, year = 1970] = name.split("_").map(Number).reverse();
  return Date.UTC(year, month - 1, day, hour);
};

/** Returns the parts of a table but the one for everything else, oldest first. */
export const listPartitions = async (db: Db, table: PartitionedTable): Promise<readonly Partition[]> => {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = ${table.name}::regclass and c.relname <> ${restOf(table)}
    order by c.relname`.execute(db);
  return rows.map(({ name }) => ({ name, start: startOf(name), end: startOf(name) + table.spanMs }));
};

type Change = "done" | "later" | "too many rows";

/** Runs a change of the parts, unless others use the table for too long. */
const inShortTransaction = async (
  database: Pick<Database, "transaction">,
  work: (db: Db) => Promise<Change>,
): Promise<Change> => {
  try {
    return await database.transaction(async (db) => {
      await sql`set local lock_timeout = ${sql.lit(lockTimeout)}`.execute(db);
      return work(db);
    });
  } catch (error) {
    if (errorCode(error) === lockNotAvailable) return "later";
    throw error;
  }
};

const areTooMany = async (db: Db, part: string, condition: RawBuilder<SqlBool>): Promise<boolean> => {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n
    from (select 1 from ${sql.table(part)} where ${condition} limit ${maxMoved + 1}) as found`.execute(db);
  return Number(rows[0]?.n) > maxMoved;
};

/** Makes one part, with the rows that are in the one for everything else. */
const makePartition = (
  database: Pick<Database, "transaction">,
  table: PartitionedTable,
  start: number,
): Promise<Change> =>
  inShortTransaction(database, async (db) => {
    const rest = restOf(table);
    const parent = sql.table(table.name);
    const part = sql.table(nameOf(table, start));
    const from = table.keyAt(start);
    const to = table.keyAt(start + table.spanMs);
    const isWithin = sql<SqlBool>`${sql.ref(table.key)} >= ${from} and ${sql.ref(table.key)} < ${to}`;
    if (await areTooMany(db, rest, isWithin)) return "too many rows";
    await sql`create table ${part} (like ${parent} including all)`.execute(db);
    // NOTE: `attach partition` alone does not lock the parent against readers. A statement that was planned before and runs after it
    // would not look into the new part.
    await sql`lock table only ${parent} in access exclusive mode`.execute(db);
    await sql`with moved as (delete from ${sql.table(rest)} where ${isWithin} returning *)
      insert into ${part} select * from moved`.execute(db);
    await sql`alter table ${parent} attach partition ${part}
      for values from (${sql.lit(from)}) to (${sql.lit(to)})`.execute(db);
    return "done";
  });

/**
 * Makes the missing parts of this moment and of the time ahead. A part is left out where more rows of its time are stored
 * than can be moved shortly; they stay where they are.
 */
export const makePartitions = async (
  database: Pick<Database, "db" | "transaction">,
  table: PartitionedTable,
  now: number,
): Promise<void> => {
  const known = new Set((await listPartitions(database.db, table)).map(({ start }) => start));
  for (let start = now - (now % table.spanMs); start <= now + table.aheadMs; start += table.spanMs)
    if (!known.has(start)) await makePartition(database, table, start);
};

/** Drops one part; the rows to keep go into the one for everything else. */
const dropPartition = (
  database: Pick<Database, "transaction">,
  table: PartitionedTable,
  { name }: Partition,
  isKept: RawBuilder<SqlBool>,
): Promise<Change> =>
  inShortTransaction(database, async (db) => {
    const parent = sql.table(table.name);
    const part = sql.table(name);
    if (await areTooMany(db, name, isKept)) return "too many rows";
    await sql`lock table only ${parent} in access exclusive mode`.execute(db);
    await sql`create temporary table kept_rows on commit drop as
      select * from ${part} where ${isKept}`.execute(db);
    await sql`drop table ${part}`.execute(db);
    await sql`insert into ${parent} select * from kept_rows`.execute(db);
    return "done";
  });

/**
 * Drops the parts whose time ended before a moment, but for the rows to keep. Returns the tables whose expired rows are
 * to be deleted one by one: the part for everything else, and parts with more rows to keep than can be moved shortly.
 */
export const dropPartitions = async (
  database: Pick<Database, "db" | "transaction">,
  table: PartitionedTable,
  { before, isKept }: { readonly before: number; readonly isKept: RawBuilder<SqlBool> },
): Promise<readonly string[]> => {
  const left = [restOf(table)];
  for (const part of await listPartitions(database.db, table))
    if (part.end <= before && (await dropPartition(database, table, part, isKept)) === "too many rows")
      left.push(part.name);
  return left;
};
