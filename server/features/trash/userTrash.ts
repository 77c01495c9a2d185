import { maxPageSize } from "../../../core/api/listPage.ts";
import { dayMs } from "../../../core/kernel/durations.ts";
import type { Mask, MaskId } from "../../../core/masks/mask.ts";
import { type TrashedMask, trashDays } from "../../../core/trash/trashEndpoints.ts";
import { type ListPage, noSuchEntry } from "../../platform/answers/listPage.ts";
import type { Db } from "../../platform/store/database.ts";
import { isId } from "../../platform/store/id.ts";
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

/**
 * Deletes a mask: mail to it is refused, its place in the plan is free, and it rests in the trash for 30 days. Its addresses are
 * never assigned again. Rejects with 404 for another user's mask, as all of these do.
 */
export const trashMask = async (
  { clock }: Pick<MaskDeps, "clock">,
  tx: Db,
  author: MaskAuthor,
  id: MaskId,
): Promise<void> => {
  if (!isId(id) || !(await deleteMaskRow(tx, author.userId, id, clock.now()))) throw maskNotFound();
  await adjustMaskCount(tx, author.userId, -1);
  await recordMaskChange(tx, author, "deleted", id, clock.now());
};

/** Restores a mask within 30 days of its deletion, within the limit of the plan. */
export const restoreTrashedMask = async (
  deps: MaskDeps,
  tx: Db,
  author: MaskAuthor,
  id: MaskId,
): Promise<Mask> => {
  const { clock, senderLists, sender } = deps;
  const { userId } = author;
  const now = clock.now();
  if (!isId(id) || !(await restoreMaskRow(tx, userId, id, { since: now - restorableForMs, now })))
    throw maskNotFound();
  await takeMaskPlace(tx, userId, maskLimitReached(deps));
  await assertFitsPlan(tx, deps, userId);
  await recordMaskChange(tx, author, "created", id, now);
  const row = await findMask(tx, userId, id);
  if (!row) throw maskNotFound();
  await reclaimAddress(tx, { id, userId, email: row.email }, { maskDomain: sender.maskDomain, now });
  return toMask(row, senderLists);
};

/** Lists the deleted masks of a user that can be restored, the last deleted first. */
export const listTrash = async (
  { clock, senderLists }: Pick<MaskDeps, "clock" | "senderLists">,
  db: Db,
  userId: string,
  { limit, after }: ListPage,
): Promise<{ readonly masks: readonly TrashedMask[]; readonly isMore?: true }> => {
  const since = clock.now() - restorableForMs;
  const last = after === undefined ? null : await findDeletedMask(db, userId, after);
  if (last === undefined) throw noSuchEntry("mask");
  const most = limit ?? (after === undefined ? maxListed : maxPageSize);
  const rows = await findDeletedMasks(db, userId, { since, limit: most + 1, after: last });
  const masks = rows.slice(0, most).map(
    (row): TrashedMask => ({
      ...toMask({ ...row, active: row.deleted_active }, senderLists),
      deleted: new Date(row.deleted_at ?? 0).toISOString(),
      until: new Date((row.deleted_at ?? 0) + restorableForMs).toISOString(),
    }),
  );
  return { masks, ...(rows.length > most && { isMore: true as const }) };
};

/** Deletes a mask of the trash for good, with all its data. */
export const forgetTrashedMask = async (
  { clock }: Pick<MaskDeps, "clock">,
  tx: Db,
  author: MaskAuthor,
  id: MaskId,
): Promise<void> => {
  if (!isId(id) || !(await deleteTrashedMask(tx, author.userId, id))) throw maskNotFound();
  await recordMaskChange(tx, author, "deleted", id, clock.now());
};

/** Removes the masks that can no longer be restored. */
export const pruneDeletedMasks = (db: Db, now: number): Promise<void> =>
  removeDeletedMasks(db, now - restorableForMs);
