import type { Selectable } from "kysely";
import type { DomainName } from "../../../core/mail/domainName.ts";
import type { Db } from "./database.ts";
import type { Tables } from "./tables.ts";

/** Returns the proven domain of a name, whoever has it. */
export const findProvenDomain = (
  db: Db,
  name: DomainName,
): Promise<Selectable<Tables["domains"]> | undefined> =>
  db
    .selectFrom("domains")
    .selectAll()
    .where("name", "=", name)
    .where("proven_at", "is not", null)
    .executeTakeFirst();
