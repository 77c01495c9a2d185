import { mailboxKey } from "../../core/mail/emailAddress.ts";
import type { Random } from "../../core/ports/random.ts";
import type { Db } from "../store/database.ts";
import { enqueue } from "../store/queue.ts";
import { countOwnMail, monthOf } from "../store/usage.ts";
import { ownAddress, type Sender } from "./ownMail.ts";

/** Queues a mail of ours in the caller's transaction, and counts it where its reader has an account (D11). */
export const queueOwnMail = async (
  db: Db,
  sender: Sender,
  mail: { readonly recipient: string; readonly content: Uint8Array },
  at: { readonly now: number; readonly random: Random },
): Promise<void> => {
  await enqueue(db, { userId: null, maskId: null, envelopeSender: ownAddress(sender), ...mail }, at);
  await countOwnMail(db, { recipientKey: mailboxKey(mail.recipient), month: monthOf(at.now) });
};
