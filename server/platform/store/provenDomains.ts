import type { Selectable } from "kysely";
import type { Db } from "./database.ts";
import type { Tables } from "./tables.ts";

/** Returns the proven domain of a name, in ASCII and lower case, whoever has it. */
export const findProvenDomain = (db: Db, name: string): Promise<Selectable<Tables["domains"]> | undefined> =>
  db
    .selectFrom("domains")
    .selectAll()
    .where("name", "=", name)
    .where("proven_at", "is not", null)
    .executeTakeFirst();
