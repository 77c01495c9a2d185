import type { Insertable, Selectable, Updateable } from "kysely";
import type { Db } from "./database.ts";
import type { MaskAddressesTable, MasksTable } from "./maskTables.ts";

const withAll = (db: Db, userId: string) =>
  db
    .selectFrom("masks")
    .innerJoin("destinations", "destinations.id", "masks.destination_id")
    .innerJoin("mask_statistics", "mask_statistics.mask_id", "masks.id")
    .selectAll("masks")
    .select([
      "destinations.email as forward_to",
      "destinations.confirmed_at",
      "mask_statistics.total_received",
      "mask_statistics.total_forwarded",
      "mask_statistics.spam_blocked",
      "mask_statistics.total_sent",
      "mask_statistics.last_used_at",
      "mask_statistics.details",
    ])
    .where("masks.user_id", "=", userId);

/** A mask with where its mail goes and what has happened to it. */
export type FullMask = Awaited<ReturnType<typeof masksOf>>[number];

/** The user's masks, newest first. */
export const masksOf = (db: Db, userId: string) =>
  withAll(db, userId).orderBy("masks.created_at", "desc").orderBy("masks.id", "desc").execute();

/** One of the user's masks; undefined when it is not the user's or not there. */
export const maskOf = (db: Db, userId: string, id: string): Promise<FullMask | undefined> =>
  withAll(db, userId).where("masks.id", "=", id).executeTakeFirst();

/** How many of the user's masks take mail. */
export const countActive = async (db: Db, userId: string): Promise<number> => {
  const { active } = await db
    .selectFrom("masks")
    .select((e) => e.fn.countAll<number>().as("active"))
    .where("user_id", "=", userId)
    .where("active", "=", 1)
    .executeTakeFirstOrThrow();
  return Number(active);
};

/** Reserves an address for ever; false when it was given out before, to whomever. */
export const claimAddress = async (db: Db, emailKey: string, now: number): Promise<boolean> => {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("mask_addresses")
    .values({ email_key: emailKey, mask_id: null, created_at: now })
    .onConflict((conflict) => conflict.column("email_key").doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
};

/** Makes mail to a reserved address reach a mask. */
export const linkAddress = async (db: Db, emailKey: string, maskId: string): Promise<void> => {
  await db.updateTable("mask_addresses").set({ mask_id: maskId }).where("email_key", "=", emailKey).execute();
};

/** Every address a mask can be reached at, oldest first. */
export const addressesOf = (db: Db, maskId: string): Promise<Selectable<MaskAddressesTable>[]> =>
  db
    .selectFrom("mask_addresses")
    .selectAll()
    .where("mask_id", "=", maskId)
    .orderBy("created_at")
    .orderBy("email_key")
    .execute();

/** Puts a mask and its empty statistics in place. */
export const insertMask = async (db: Db, mask: Insertable<MasksTable>): Promise<void> => {
  await db.insertInto("masks").values(mask).execute();
  await db
    .insertInto("mask_statistics")
    .values({
      mask_id: mask.id,
      user_id: mask.user_id,
      total_received: 0,
      total_forwarded: 0,
      spam_blocked: 0,
      total_sent: 0,
      last_used_at: null,
    })
    .execute();
};

/** Changes one of the user's masks and keeps it locked until the transaction ends; undefined when there is none. */
export const updateMask = (
  db: Db,
  userId: string,
  id: string,
  change: Updateable<MasksTable>,
): Promise<Selectable<MasksTable> | undefined> =>
  db
    .updateTable("masks")
    .set(change)
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .returningAll()
    .executeTakeFirst();

/** Deletes one of the user's masks; false when there is none. Its addresses stay reserved. */
export const deleteMaskRow = async (db: Db, userId: string, id: string): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom("masks")
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return numDeletedRows === 1n;
};

/** Makes a user's masks that lead to the mailbox `from` lead to the destination `to`; false when there is none. */
export const moveMasks = async (
  db: Db,
  userId: string,
  { from, to }: { readonly from: string; readonly to: string },
  now: number,
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable("masks")
    .set({ destination_id: to, updated_at: now })
    .where("user_id", "=", userId)
    .where("destination_id", "in", ({ selectFrom }) =>
      selectFrom("destinations").select("id").where("user_id", "=", userId).where("email_key", "=", from),
    )
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};
