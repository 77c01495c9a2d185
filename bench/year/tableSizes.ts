import { sql } from "kysely";
import type { Db } from "../../server/platform/store/database.ts";

const shown = [
  "queue",
  "events",
  "log_entries",
  "log_steps",
  "account_counts",
  "mask_counts",
  "recent_mails",
];

/** Prints what tables with all of their parts and indexes take, their dead rows, and the rows deleted one by one. */
export const printSizes = async (db: Db): Promise<void> => {
  await sql`select pg_stat_force_next_flush()`.execute(db);
  const { rows } = await sql<{
    name: string;
    parts: number;
    bytes: number;
    live: number;
    dead: number;
    deleted: number;
  }>`
    select root::text as name, count(*) as parts, sum(pg_total_relation_size(relid)) as bytes,
      sum(n_live_tup) as live, sum(n_dead_tup) as dead, sum(n_tup_del) as deleted
    from (select coalesce(i.inhparent, s.relid)::regclass as root, s.* from pg_stat_user_tables s
      left join pg_inherits i on i.inhrelid = s.relid where s.schemaname = 'public') as of
    group by root`.execute(db);
  const cells = (texts: readonly string[]): string =>
    texts.map((text, n) => (n === 0 ? text.padEnd(18) : text.padStart(16))).join("");
  const count = (n: number): string => Number(n).toLocaleString("en-US");
  console.log(`  ${cells(["table", "parts", "MB", "rows", "dead rows", "deleted by row"])}`);
  for (const name of shown) {
    const row = rows.find((one) => one.name === name);
    if (row)
      console.log(
        `  ${cells([name, count(row.parts), (Number(row.bytes) / 1e6).toFixed(1), count(row.live), count(row.dead), count(row.deleted)])}`,
      );
  }
  const total = rows.reduce((sum, { bytes }) => sum + Number(bytes), 0);
  console.log(`  ${cells(["all tables", "", (total / 1e6).toFixed(1)])}`);
};
