import type { WhenOff } from "../../../core/masks/mask.ts";
import type { Db } from "../../platform/store/database.ts";
import { selectLinkedMask } from "../actionLinks/linkedMask.ts";

/** The mask that leaves a list. */
export interface LeavingMask {
  readonly id: string;
  readonly userId: string;
  readonly email: string;
  readonly isActive: boolean;
  readonly whenOff: WhenOff;
  /** True if it is switched off once the list is left. */
  readonly switchesOff: boolean;
}

/** Returns a mask of a user; null when it was deleted, or the account is suspended. */
export const findLeavingMask = async (
  db: Db,
  { userId, maskId }: { readonly userId: string; readonly maskId: string },
): Promise<LeavingMask | null> => {
  const row = await selectLinkedMask(db, maskId)
    .where("masks.user_id", "=", userId)
    .select(["masks.unsubscribe as ofMask", "users.unsubscribe as ofAccount"])
    .executeTakeFirst();
  if (!row) return null;
  const { ofMask, ofAccount, active, ...mask } = row;
  const mode = ofMask === "account" ? ofAccount : ofMask;
  return { ...mask, isActive: active === 1, switchesOff: mode === "through-mask-and-switch-off" };
};
