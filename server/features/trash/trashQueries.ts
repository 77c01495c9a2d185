import type { Db } from "../../platform/store/database.ts";
import { type FullMask, selectAnyMasks } from "../masks/maskQueries.ts";

/** The place of a mask in the trash: the time of its deletion, with its id. */
interface DeletedMask {
  readonly id: string;
  readonly deletedAt: number;
}

/** Finds a deleted mask of the user. */
export const findDeletedMask = async (
  db: Db,
  userId: string,
  id: string,
): Promise<DeletedMask | undefined> => {
  const row = await db
    .selectFrom("masks")
    .select("deleted_at")
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return row?.deleted_at == null ? undefined : { id, deletedAt: Number(row.deleted_at) };
};

/** Returns the user's masks that were deleted at `since` or later, the last deleted first, after one of them. */
export const findDeletedMasks = (
  db: Db,
  userId: string,
  {
    since,
    limit,
    after,
  }: { readonly since: number; readonly limit: number; readonly after: DeletedMask | null },
): Promise<FullMask[]> =>
  selectAnyMasks(db, userId)
    .where("masks.deleted_at", ">=", since)
    .$if(after !== null, (masks) =>
      masks.where((e) =>
        e.or([
          e("masks.deleted_at", "<", after?.deletedAt ?? 0),
          e.and([e("masks.deleted_at", "=", after?.deletedAt ?? 0), e("masks.id", "<", after?.id ?? "")]),
        ]),
      ),
    )
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
