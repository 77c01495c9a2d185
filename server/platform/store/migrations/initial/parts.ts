import { type RawBuilder, sql } from "kysely";
import type { Engine } from "../../engine.ts";

type Statement = RawBuilder<unknown>;

/** Has PostgreSQL keep the rows of a new table in parts, by ranges of a column. */
export const inParts = ({ name }: Engine, column: string): Statement =>
  name === "postgresql" ? sql`partition by range (${sql.ref(column)})` : sql``;

/** Makes the part for the rows that are in no other one. */
export const restOfParts = ({ name }: Engine, table: string): readonly Statement[] =>
  name === "postgresql"
    ? [sql`create table ${sql.ref(`${table}_default`)} partition of ${sql.ref(table)} default`]
    : [];

/** Makes an index of a table in parts, which becomes that of the part for the rest under a name with "_default". */
export const indexOfParts = (
  engine: Engine,
  table: string,
  name: string,
  on: string,
): readonly Statement[] => {
  const indexOf = (suffix: string): Statement =>
    sql`create index ${sql.ref(name + suffix)} on ${sql.ref(table + suffix)} ${sql.raw(on)}`;
  return engine.name === "postgresql" ? [indexOf("_default"), indexOf("")] : [indexOf("")];
};
