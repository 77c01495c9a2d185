import { type RawBuilder, sql } from "kysely";
import type { Engine } from "../../engine.ts";

/** The type of binary content. */
export const binary = (engine: Engine): RawBuilder<unknown> =>
  engine.name === "sqlite" ? sql`blob` : sql`bytea`;

/** The column of a row's number, counted by the database. */
export const rowNumber = (engine: Engine): RawBuilder<unknown> =>
  engine.name === "sqlite" ? sql`integer primary key` : sql`bigint generated always as identity primary key`;

/** A number that is never assigned again, even when the row with the highest one is deleted. */
export const uniqueNumber = (engine: Engine): RawBuilder<unknown> =>
  engine.name === "sqlite" ? sql`integer primary key autoincrement` : rowNumber(engine);

/** Has SQLite store the rows in the order of their key, so that those of one user are adjacent. */
export const clusteredByKey = (engine: Engine): RawBuilder<unknown> =>
  engine.name === "sqlite" ? sql`without rowid` : sql``;
