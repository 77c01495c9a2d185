import { type RawBuilder, sql } from "kysely";

/** The clock of PostgreSQL, in milliseconds, which all processes share. */
export const databaseNow: RawBuilder<number> = sql<number>`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`;
