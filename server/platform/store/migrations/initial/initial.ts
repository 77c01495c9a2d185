import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";
import type { Engine } from "../../engine.ts";
import { accountTables } from "./accounts.ts";
import { addressTables } from "./addresses.ts";
import { figureTables } from "./figures.ts";
import { keptMailTables } from "./keptMail.ts";
import { keyTables } from "./keys.ts";
import { maskTables } from "./masks.ts";
import { noticeTables } from "./notices.ts";
import { processTables } from "./processes.ts";
import { programTables } from "./programs.ts";
import { deliveryTables } from "./queue.ts";
import { receiverTables } from "./receivers.ts";
import { ruleTables } from "./rules.ts";
import { signInTables } from "./signIn.ts";

/** Creates the tables of version 0.3.0, those first that others refer to. */
export const initial = (engine: Engine): Migration => ({
  up: async (db: Kysely<never>): Promise<void> => {
    const statements = [
      ...processTables(engine),
      ...accountTables,
      ...signInTables,
      ...addressTables,
      ...keyTables,
      ...maskTables,
      ...ruleTables,
      ...programTables(engine),
      ...deliveryTables(engine),
      ...receiverTables,
      ...keptMailTables(engine),
      ...noticeTables(engine),
      ...figureTables(engine),
    ];
    for (const statement of statements) await statement.execute(db);
  },
});
