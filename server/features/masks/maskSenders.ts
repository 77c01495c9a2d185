import type { SendersEdit } from "../../../core/masks/maskSenders.ts";
import type { Db } from "../../platform/store/database.ts";
import { recordMaskChange } from "../maskEvents.ts";
import type { SenderLists } from "../senders/senderLists.ts";
import { updateMask } from "./maskQueries.ts";

/** Stores who may write to a mask; the caller has checked its owner. */
export const saveSenders = async (
  db: Db,
  { senderLists }: { readonly senderLists: SenderLists },
  mask: { readonly userId: string; readonly maskId: string },
  { mode, ...lists }: SendersEdit,
  now: number,
): Promise<void> => {
  if (mode !== undefined)
    await db
      .updateTable("masks")
      .set({ sender_mode: mode })
      .where("id", "=", mask.maskId)
      .where("user_id", "=", mask.userId)
      .execute();
  await senderLists.replace(db, mask, lists, now);
};

/** Marks a mask as edited whose lists of senders have changed, and records that. */
export const recordSendersChange = async (
  db: Db,
  { userId, maskId }: { readonly userId: string; readonly maskId: string },
  now: number,
): Promise<void> => {
  await updateMask(db, userId, maskId, {}, now);
  await recordMaskChange(db, { userId, clientId: null }, "updated", maskId, now);
};
