import type { Selectable } from "kysely";
import type { LogEntriesTable } from "../../delivery/mailLog/mailLogTables.ts";
import type { Db } from "../../platform/store/database.ts";

/** Returns the address of the newest mask that was made for a site; undefined without one. */
export const findMadeForSite = async (db: Db, userId: string, site: string): Promise<string | undefined> => {
  const row = await db
    .selectFrom("masks")
    .select("email")
    .where("user_id", "=", userId)
    .where("made_for", "=", site)
    .where("deleted_at", "is", null)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.email;
};

/** Returns the newest logged mail of each mask that has one. */
export const findLatestEntries = (
  db: Db,
  userId: string,
  maskIds: readonly string[],
): Promise<Selectable<LogEntriesTable>[]> =>
  db
    .selectFrom("log_entries")
    .selectAll()
    .where("id", "in", (e) =>
      e
        .selectFrom("log_entries")
        .where("mask_id", "in", [...maskIds])
        .where("user_id", "=", userId)
        .groupBy("mask_id")
        .select(({ fn }) => fn.max<string>("id").as("id")),
    )
    .where("user_id", "=", userId)
    .execute();

/** Returns the user's addresses of the trash at a domain, the last deleted first. */
export const findTrashedAt = (db: Db, userId: string, domain: string) =>
  db
    .selectFrom("masks")
    .select(["email", "deleted_at"])
    .where("user_id", "=", userId)
    .where("deleted_at", "is not", null)
    .where("email", "like", `%@${domain}`)
    .orderBy("deleted_at", "desc")
    .orderBy("id", "desc")
    .limit(500)
    .execute();

/** Returns the user's destinations by the address as written there. */
export const findMailboxes = (db: Db, userId: string) =>
  db
    .selectFrom("destinations")
    .select(["id", "email", "email_key", "confirmed_at", "created_at"])
    .where("user_id", "=", userId)
    .where("email", "!=", "")
    .execute();
