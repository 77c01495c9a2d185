import type { Random } from "../../core/ports/random.ts";
import type { Db } from "./database.ts";
import { newId } from "./id.ts";

/** A mail that is to leave: complete as it will be sent, every line closed by CRLF (RFC 5322, 2.3). */
export interface OutgoingMail {
  /** null for mail of our own: codes, confirmations. */
  readonly userId: string | null;
  readonly maskId: string | null;
  /** Empty for the null sender (RFC 5321, 4.5.5). */
  readonly envelopeSender: string;
  readonly recipient: string;
  readonly content: Uint8Array;
}

/**
 * Puts a mail into the queue, due at once, and answers its id. Inside a transaction it is queued if and only if the
 * transaction is committed; wake the delivery after the commit.
 */
export const enqueue = async (
  db: Db,
  mail: OutgoingMail,
  at: { readonly now: number; readonly random: Random },
): Promise<string> => {
  const id = newId(at.random);
  await db
    .insertInto("queue")
    .values({
      id,
      user_id: mail.userId,
      mask_id: mail.maskId,
      envelope_sender: mail.envelopeSender,
      recipient: mail.recipient,
      content: mail.content,
      size: mail.content.length,
      status: "waiting",
      attempts: 0,
      next_attempt_at: at.now,
      lease: null,
      leased_until: 0,
      last_answer: null,
      created_at: at.now,
      finished_at: null,
    })
    .execute();
  return id;
};
