import type { SendersEdit } from "../../../core/senders/maskSenders.ts";
import type { Db } from "../../platform/store/database.ts";
import type { SenderLists } from "./senderLists.ts";

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
