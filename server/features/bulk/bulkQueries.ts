import type { Updateable } from "kysely";
import type { Db } from "../../platform/store/database.ts";
import { timeOfEdit } from "../maskChanges/maskChanges.ts";
import { deleteRecentMailOf } from "../masks/maskQueries.ts";
import type { MasksTable } from "../masks/maskTables.ts";

/** The columns of a mask that a change of several masks needs. */
export type LockedMask = Awaited<ReturnType<typeof lockMasks>>[number];

/** Locks those of the user's masks that have these ids until the transaction ends, as edited at `now`. */
export const lockMasks = (db: Db, userId: string, ids: readonly string[], now: number) =>
  db
    .updateTable("masks")
    .set({ updated_at: timeOfEdit(now) })
    .where("id", "in", [...ids])
    .where("user_id", "=", userId)
    .where("deleted_at", "is", null)
    .returning(["id", "user_id", "active", "labels", "rules"])
    .execute();

/** Locks those of the user's deleted masks that can be restored: deleted at `since` or later. */
export const lockDeletedMasks = (
  db: Db,
  userId: string,
  ids: readonly string[],
  { since, now }: { readonly since: number; readonly now: number },
) =>
  db
    .updateTable("masks")
    .set({ updated_at: timeOfEdit(now) })
    .where("id", "in", [...ids])
    .where("user_id", "=", userId)
    .where("deleted_at", ">=", since)
    .returning(["id", "email", "deleted_active as active"])
    .execute();

/** Changes columns of masks that are locked. */
export const updateMasks = async (
  db: Db,
  ids: readonly string[],
  change: Updateable<MasksTable>,
): Promise<void> => {
  if (ids.length === 0) return;
  await db
    .updateTable("masks")
    .set(change)
    .where("id", "in", [...ids])
    .execute();
};

/** Switches off masks that are locked, and marks them as deleted. */
export const deleteMasks = async (db: Db, ids: readonly string[], now: number): Promise<void> => {
  if (ids.length === 0) return;
  await db
    .updateTable("masks")
    .set((e) => ({ deleted_at: now, deleted_active: e.ref("active"), active: 0, paused: 0 }))
    .where("id", "in", [...ids])
    .execute();
  await deleteRecentMailOf(db, ids);
};

/** Restores deleted masks that are locked. */
export const restoreMasks = async (db: Db, ids: readonly string[]): Promise<void> => {
  if (ids.length === 0) return;
  await db
    .updateTable("masks")
    .set((e) => ({ deleted_at: null, active: e.ref("deleted_active") }))
    .where("id", "in", [...ids])
    .execute();
};
