import { isSameMailbox } from "../../../core/mail/mailboxName.ts";
import { maxListedSenders, type SenderList } from "../../../core/senders/maskSenders.ts";
import type { ServerContext } from "../../context/serverContext.ts";
import { UseCaseError } from "../../platform/errors/useCaseError.ts";
import type { Db } from "../../platform/store/database.ts";
import { assertMask, recordSendersChange } from "../maskChanges/maskChanges.ts";
import type { ListedSenders, MaskOfUser } from "./senderLists.ts";

type SendersContext = Pick<ServerContext, "senderLists" | "clock">;

/** Returns the senders that a mask always accepts and refuses. Rejects with 404 for a mask that the user does not have. */
export const readMaskSenders = async (
  { senderLists }: Pick<SendersContext, "senderLists">,
  db: Db,
  mask: MaskOfUser,
): Promise<ListedSenders> => {
  await assertMask(db, mask);
  return senderLists.read(db, mask);
};

/**
 * Puts a sender on a list and returns the one before. Rejects with 404 for a mask that the user does not have, and with 409
 * when the lists are full.
 */
export const listSender = async (
  { senderLists, clock }: SendersContext,
  tx: Db,
  mask: MaskOfUser,
  { sender, list }: { readonly sender: string; readonly list: SenderList },
): Promise<{ before: SenderList | null }> => {
  await assertMask(tx, mask);
  const { allow, block } = await senderLists.read(tx, mask);
  const isOn = (listed: readonly string[]): boolean => listed.some((one) => isSameMailbox(one, sender));
  const before = isOn(block) ? "block" : isOn(allow) ? "allow" : null;
  if (before === null && allow.length + block.length >= maxListedSenders)
    throw new UseCaseError("conflict", `A mask can list at most ${maxListedSenders} senders`);
  await senderLists.add(tx, mask, list, sender, clock.now());
  await recordSendersChange(tx, mask, clock.now());
  return { before };
};

/** Takes a sender off the lists. Rejects with 404 when the sender is on no list of a mask of the user. */
export const unlistSender = async (
  { senderLists, clock }: SendersContext,
  tx: Db,
  mask: MaskOfUser,
  sender: string,
): Promise<void> => {
  if (!(await senderLists.remove(tx, mask, sender)))
    throw new UseCaseError("missing", "This sender is on no list of the mask any more.");
  await recordSendersChange(tx, mask, clock.now());
};
