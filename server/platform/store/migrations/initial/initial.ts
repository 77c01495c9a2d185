import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";
import type { Engine } from "../../engine.ts";
import { accountTables } from "./accounts.ts";
import { deliveryTables } from "./delivery.ts";
import { figureTables } from "./figures.ts";
import { keptMailTables } from "./keptMail.ts";
import { maskTables } from "./masks.ts";

/** Creates the tables of the first release. */
export const initial = (engine: Engine): Migration => ({
  up: async (db: Kysely<never>): Promise<void> => {
    const statements = [
      ...accountTables,
      ...maskTables,
      ...deliveryTables(engine),
      ...keptMailTables(engine),
      ...figureTables(engine),
    ];
    for (const statement of statements) await statement.execute(db);
  },
});
