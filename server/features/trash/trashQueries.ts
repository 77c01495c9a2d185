import type { Db } from "../../platform/store/database.ts";
import { type FullMask, selectAnyMasks } from "../masks/maskQueries.ts";

/** Returns the user's masks that were deleted at `since` or later, the last deleted first. */
export const findDeletedMasks = (
  db: Db,
  userId: string,
  { since, limit }: { readonly since: number; readonly limit: number },
): Promise<FullMask[]> =>
  selectAnyMasks(db, userId)
    .where("masks.deleted_at", ">=", since)
    .orderBy("masks.deleted_at", "desc")
    .orderBy("masks.id", "desc")
    .limit(limit)
    .execute();

/** Removes one of the user's deleted masks with all its data; false when there is none. */
export const deleteTrashedMask = async (db: Db, userId: string, id: string): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom("masks")
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .where("deleted_at", "is not", null)
    .executeTakeFirst();
  return numDeletedRows === 1n;
};

/** Removes the masks that were deleted before a time, with all their data. */
export const removeDeletedMasks = async (db: Db, before: number): Promise<void> => {
  await db.deleteFrom("masks").where("deleted_at", "<", before).execute();
};
