import { sql } from "kysely";
import type { Db } from "../../../server/platform/store/database.ts";

const ofSqlite = async (db: Db): Promise<unknown> => {
  const read = async (table: string) => ({
    options: (await sql`select wr, strict from pragma_table_list(${table})`.execute(db)).rows,
    counted: (
      await sql`select sql like '%autoincrement%' as is_unique from sqlite_master where name = ${table}`.execute(
        db,
      )
    ).rows,
    columns: (await sql`select * from pragma_table_xinfo(${table})`.execute(db)).rows,
    references: (await sql`select * from pragma_foreign_key_list(${table}) order by "from"`.execute(db)).rows,
    indexes: (
      await sql`
        select list.name, list."unique", list.origin, list.partial,
          lower(replace(substr(sql, instr(sql, ' on ')), '"', '')) as text,
          (select group_concat(name) from pragma_index_info(list.name)) as columns
        from pragma_index_list(${table}) as list left join sqlite_master on sqlite_master.name = list.name
        order by list.name`.execute(db)
    ).rows.map((row) => JSON.stringify(row).replaceAll(/(\s|\\n)+/g, " ")),
  });
  const { rows } = await sql<{ name: string }>`
    select name from sqlite_master where type = 'table' and name not like 'kysely_%' order by name`.execute(
    db,
  );
  const tables: Record<string, unknown> = {};
  for (const { name } of rows) tables[name] = await read(name);
  return tables;
};

const ofPostgresql = async (db: Db): Promise<unknown> => {
  const columns = await sql`
    select table_name, ordinal_position, column_name, data_type, is_nullable, column_default, is_identity, identity_generation
    from information_schema.columns where table_schema = 'public' and table_name not like 'kysely_%'
    order by table_name, ordinal_position`.execute(db);
  const constraints = await sql`
    select conrelid::regclass::text as table_name, conname, pg_get_constraintdef(oid) as text from pg_constraint
    where connamespace = 'public'::regnamespace and conrelid::regclass::text not like 'kysely_%'
    order by 1, 2`.execute(db);
  const indexes = await sql`
    select indexname, indexdef from pg_indexes where schemaname = 'public' and tablename not like 'kysely_%'
    order by indexname`.execute(db);
  return { columns: columns.rows, constraints: constraints.rows, indexes: indexes.rows };
};

/** Describes all tables with their columns in order, references, keys and indexes, without how they were written. */
export const describeSchema = (db: Db, engine: "sqlite" | "postgresql"): Promise<unknown> =>
  engine === "sqlite" ? ofSqlite(db) : ofPostgresql(db);
