import type { MaskId } from "../../core/masks/mask.ts";
import type { Keep } from "../http/once.ts";
import { isId } from "../store/id.ts";
import { deleteMaskRow } from "../store/masks.ts";
import { countMasks } from "../store/users.ts";
import { type MaskParts, maskChanged, noSuchMask } from "./maskParts.ts";

/** Deletes one of the user's masks and frees its place in the plan; its addresses are never given to anybody again. */
export const makeDeleteMask =
  ({ database, clock, feed }: MaskParts) =>
  async (userId: string, id: MaskId, keep: Keep<void>): Promise<void> => {
    if (!isId(id)) throw noSuchMask();
    await database.transaction(async (db) => {
      if (!(await deleteMaskRow(db, userId, id))) throw noSuchMask();
      await countMasks(db, userId, -1);
      await maskChanged(db, userId, "deleted", id, clock.now());
      await keep(db);
    });
    feed.nudge();
  };
