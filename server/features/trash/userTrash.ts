import { maxPageSize } from "../../../core/api/listPage.ts";
import { dayMs } from "../../../core/kernel/durations.ts";
import type { Mask, MaskId } from "../../../core/masks/mask.ts";
import { type TrashedMask, trashDays } from "../../../core/trash/trashEndpoints.ts";
import { type ListPage, noSuchEntry } from "../../platform/answers/listPage.ts";
import type { Db } from "../../platform/store/database.ts";
import { isId } from "../../platform/store/id.ts";
import type { RecordAnswer } from "../../platform/store/recordAnswer.ts";
import { adjustMaskCount } from "../../platform/store/users.ts";
import { type MaskAuthor, maskNotFound, recordMaskChange } from "../maskChanges/maskChanges.ts";
import type { MaskDeps } from "../maskChanges/maskDeps.ts";
import { takeMaskPlace } from "../masks/createMask.ts";
import { assertFitsPlan } from "../masks/editMask.ts";
import { maskLimitReached } from "../masks/maskLimits.ts";
import { deleteMaskRow, findMask, restoreMaskRow, toMask } from "../masks/maskQueries.ts";
import { reclaimAddress } from "../masks/masksOfDomain.ts";
import { deleteTrashedMask, findDeletedMask, findDeletedMasks, removeDeletedMasks } from "./trashQueries.ts";

const restorableForMs = trashDays * dayMs;

/** The most masks of an answer that asks for no part; the trash is emptied long before, unless someone creates and deletes without end. */
const maxListed = 500;

/** The use cases of deleted masks. Those of one mask reject with 404 for another user's mask. */
export interface UserTrash {
  /** Deletes a mask and frees its place in the plan; its addresses are never assigned again. */
  readonly add: (author: MaskAuthor, id: MaskId, recordAnswer: RecordAnswer<void>) => Promise<void>;
  /** Lists the deleted masks that can be restored. */
  readonly list: (
    userId: string,
    page: ListPage,
  ) => Promise<{ readonly masks: readonly TrashedMask[]; readonly isMore?: true }>;
  /** Restores a mask within 30 days of its deletion. */
  readonly restore: (author: MaskAuthor, id: MaskId, recordAnswer: RecordAnswer<Mask>) => Promise<Mask>;
  /** Deletes a mask of the trash for good. */
  readonly remove: (author: MaskAuthor, id: MaskId, recordAnswer: RecordAnswer<void>) => Promise<void>;
}

/** Deletes a mask: mail to it is refused, its place in the plan is free, and it rests in the trash for 30 days. */
const createRemoveMask =
  ({ database, clock, feed }: MaskDeps) =>
  async (author: MaskAuthor, id: MaskId, recordAnswer: RecordAnswer<void>): Promise<void> => {
    if (!isId(id)) throw maskNotFound();
    await database.transaction(async (db) => {
      if (!(await deleteMaskRow(db, author.userId, id, clock.now()))) throw maskNotFound();
      await adjustMaskCount(db, author.userId, -1);
      await recordMaskChange(db, author, "deleted", id, clock.now());
      await recordAnswer(db);
    });
    feed.wake();
  };

/** Restores a mask of the trash, within the limit of the plan. */
const createRestoreMask =
  (deps: MaskDeps) =>
  async (author: MaskAuthor, id: MaskId, recordAnswer: RecordAnswer<Mask>): Promise<Mask> => {
    const { database, clock, feed, senderLists, sender } = deps;
    const { userId } = author;
    if (!isId(id)) throw maskNotFound();
    const mask = await database.transaction(async (db) => {
      const since = clock.now() - restorableForMs;
      if (!(await restoreMaskRow(db, userId, id, { since, now: clock.now() }))) throw maskNotFound();
      await takeMaskPlace(db, userId, maskLimitReached(deps));
      await assertFitsPlan(db, deps, userId);
      await recordMaskChange(db, author, "created", id, clock.now());
      const row = await findMask(db, userId, id);
      if (!row) throw maskNotFound();
      const { maskDomain } = sender;
      await reclaimAddress(db, { id, userId, email: row.email }, { maskDomain, now: clock.now() });
      return recordAnswer(db, toMask(row, senderLists));
    });
    feed.wake();
    return mask;
  };

/** Lists the masks of the user's trash, the last deleted first. */
const createListTrash =
  ({ database, clock, senderLists }: Pick<MaskDeps, "database" | "clock" | "senderLists">) =>
  async (userId: string, { limit, after }: ListPage) => {
    const since = clock.now() - restorableForMs;
    const last = after === undefined ? null : await findDeletedMask(database.db, userId, after);
    if (last === undefined) throw noSuchEntry("mask");
    const most = limit ?? (after === undefined ? maxListed : maxPageSize);
    const rows = await findDeletedMasks(database.db, userId, { since, limit: most + 1, after: last });
    const masks = rows.slice(0, most).map(
      (row): TrashedMask => ({
        ...toMask({ ...row, active: row.deleted_active }, senderLists),
        deleted: new Date(row.deleted_at ?? 0).toISOString(),
        until: new Date((row.deleted_at ?? 0) + restorableForMs).toISOString(),
      }),
    );
    return { masks, ...(rows.length > most && { isMore: true as const }) };
  };

/** Deletes a mask of the trash with all its data. */
const createDeleteTrashed =
  ({ database, clock, feed }: MaskDeps) =>
  async (author: MaskAuthor, id: MaskId, recordAnswer: RecordAnswer<void>): Promise<void> => {
    if (!isId(id)) throw maskNotFound();
    await database.transaction(async (db) => {
      if (!(await deleteTrashedMask(db, author.userId, id))) throw maskNotFound();
      await recordMaskChange(db, author, "deleted", id, clock.now());
      await recordAnswer(db);
    });
    feed.wake();
  };

/** Creates the use cases of the trash. */
export const createUserTrash = (deps: MaskDeps): UserTrash => ({
  add: createRemoveMask(deps),
  list: createListTrash(deps),
  restore: createRestoreMask(deps),
  remove: createDeleteTrashed(deps),
});

/** Removes the masks that can no longer be restored. */
export const pruneDeletedMasks = (db: Db, now: number): Promise<void> =>
  removeDeletedMasks(db, now - restorableForMs);
