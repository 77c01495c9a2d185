import { type Selectable, sql } from "kysely";
import { pageSize } from "../../../core/simplelogin/values.ts";
import type { LogEntriesTable } from "../../delivery/mailLog/tables.ts";
import type { Db } from "../../platform/store/database.ts";
import { type FullMask, selectFullMasks } from "../masks/maskQueries.ts";

/** Which masks a client asks for. */
export interface AliasQuery {
  /** From 0. */
  readonly page: number;
  readonly only: "pinned" | "disabled" | "enabled" | null;
  /** A text in the address, the description or the note; empty for all. */
  readonly text: string;
}

/** A text for `like ... escape '\'` that is found anywhere. */
const anywhere = (text: string): string => `%${text.toLowerCase().replace(/[\\%_]/g, "\\$&")}%`;

/** Returns a page of the user's masks, newest first. */
export const findAliasPage = (
  db: Db,
  userId: string,
  { page, only, text }: AliasQuery,
): Promise<FullMask[]> =>
  selectFullMasks(db, userId)
    .$if(only === "pinned", (all) => all.where("masks.pinned", "=", 1))
    .$if(only === "disabled", (all) => all.where("masks.active", "=", 0))
    .$if(only === "enabled", (all) => all.where("masks.active", "=", 1))
    .$if(text !== "", (all) =>
      all.where(({ or }) =>
        or(
          ["email", "description", "note"].map(
            (column) => sql<boolean>`lower(${sql.ref(`masks.${column}`)}) like ${anywhere(text)} escape '\\'`,
          ),
        ),
      ),
    )
    .orderBy("masks.created_at", "desc")
    .orderBy("masks.id", "desc")
    .limit(pageSize)
    .offset(page * pageSize)
    .execute();

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

/** Returns the figures of all the user's masks. */
export const sumStatistics = async (db: Db, userId: string) => {
  const sums = await db
    .selectFrom("masks")
    .innerJoin("mask_statistics", "mask_statistics.mask_id", "masks.id")
    .where("masks.user_id", "=", userId)
    .where("masks.deleted_at", "is", null)
    .select(({ fn }) => [
      fn.countAll<number>().as("masks"),
      fn.sum<number | null>("total_forwarded").as("forwarded"),
      fn.sum<number | null>("spam_blocked").as("blocked"),
      fn.sum<number | null>("total_sent").as("sent"),
    ])
    .executeTakeFirstOrThrow();
  return {
    nb_alias: Number(sums.masks),
    nb_forward: Number(sums.forwarded ?? 0),
    nb_block: Number(sums.blocked ?? 0),
    nb_reply: Number(sums.sent ?? 0),
  };
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
