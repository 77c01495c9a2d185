import { type HeldMail, type HeldPage, heldDays, maxReadBytes } from "../../../core/held/heldMail.ts";
import { dayMs } from "../../../core/kernel/durations.ts";
import { isSameMailbox } from "../../../core/mail/mailboxName.ts";
import type { SenderList } from "../../../core/senders/maskSenders.ts";
import type { ServerContext } from "../../context/serverContext.ts";
import { fieldError, UseCaseError } from "../../platform/errors/useCaseError.ts";
import type { Db } from "../../platform/store/database.ts";
import { isId } from "../../platform/store/id.ts";
import type { RecordAnswer } from "../../platform/store/recordAnswer.ts";
import { listConfirmedAddresses } from "../destinations/destinationQueries.ts";
import { recordSendersChange } from "../maskChanges/maskChanges.ts";
import { findMask } from "../masks/maskQueries.ts";
import { countHeldMail } from "./heldCounts.ts";
import {
  deleteHeldMail,
  findHeldCopy,
  findHeldMail,
  type HeldCopy,
  type HeldMailRow,
  listHeldMails,
  releaseHeldMail,
} from "./heldQueries.ts";
import { findUnsentReply } from "./unsentReplies.ts";

/** A user's held mail. */
export interface UserHeldMails {
  /** Returns the newest mails before a position. */
  readonly list: (
    userId: string,
    page: { readonly maskId?: string | undefined; readonly before?: string | undefined },
  ) => Promise<HeldPage>;
  /**
   * Returns the content of a mail as it would be sent. Rejects with 404 when it is not held for the user, and with 400 when
   * it is too large to be shown.
   */
  readonly read: (userId: string, id: string) => Promise<Buffer>;
  /** Queues a mail again, for a confirmed address if given. Rejects with 404 when it is not held for the user. */
  readonly release: (
    userId: string,
    mail: { readonly id: string; readonly to?: string | undefined },
    recordAnswer: RecordAnswer<void>,
  ) => Promise<void>;
  /**
   * Puts the sender of a mail on a list of its mask, and releases or deletes the mail. Rejects with 404 when it
   * is not held for the user, and with 409 when its sender has no address.
   */
  readonly decideSender: (
    userId: string,
    id: string,
    list: SenderList,
    recordAnswer: RecordAnswer<void>,
  ) => Promise<void>;
  /** Deletes a mail with its content. Rejects with 404 when it is not held for the user. */
  readonly remove: (userId: string, id: string, recordAnswer: RecordAnswer<void>) => Promise<void>;
}

const pageSize = 100;

/** Converts a row to the mail that clients receive. */
export const toHeldMail = ({ userId: _, heldAt, ...row }: HeldMailRow): HeldMail => ({
  ...row,
  held: new Date(heldAt).toISOString(),
  until: new Date(heldAt + heldDays * dayMs).toISOString(),
});

const unknownSender = (): UseCaseError =>
  new UseCaseError("conflict", "The address of this mail's sender, or its mask, is not known here.");

const notReleased = (): UseCaseError =>
  new UseCaseError("conflict", "This is a reply that was refused. Send it again through its mask.");

/** The refusal of a decision about a mail that is not held. */
export const notHeld = (): UseCaseError => new UseCaseError("missing", "This mail is not held any more.");

const tooLarge = (): UseCaseError =>
  new UseCaseError(
    "invalid",
    `This mail is larger than ${maxReadBytes / 1024 / 1024} MB, which is too much to show here. Release it to read it in your mail program.`,
  );

/** Returns the bytes of a copy; null when there are more than a page reads. */
const readShownBytes = async ({ size, read }: HeldCopy): Promise<Buffer | null> => {
  if (size > maxReadBytes) return null;
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of read()) {
    bytes += chunk.length;
    if (bytes > maxReadBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

/** Returns the confirmed address as its owner wrote it. */
const confirmedAddress = async (db: Db, mail: HeldMailRow, to: string): Promise<string> => {
  if (mail.direction === "sent")
    throw fieldError("invalid", "to", "A mail that you sent goes to its recipient only.");
  const confirmed = await listConfirmedAddresses(db, mail.userId);
  const address = confirmed.find((own) => isSameMailbox(own, to));
  if (address === undefined)
    throw fieldError(
      "invalid",
      "to",
      "Choose one of your confirmed addresses. A new one is confirmed by the link that is mailed to it.",
    );
  return address;
};

export const createUserHeldMails = (
  deps: Pick<
    ServerContext,
    "database" | "seal" | "bodies" | "senderLists" | "clock" | "random" | "feed" | "delivery"
  >,
): UserHeldMails => {
  const { database, seal, bodies, senderLists, clock, random, feed, delivery } = deps;

  const find = async (db: Db, userId: string, id: string): Promise<HeldMailRow> => {
    const mail = isId(id) ? await findHeldMail(db, seal, userId, id) : undefined;
    if (!mail) throw notHeld();
    return mail;
  };
  const release = async (db: Db, mail: HeldMailRow, recipient?: string): Promise<void> => {
    const now = clock.now();
    const { userId, id, maskId } = mail;
    if (mail.reason === "unsent") throw notReleased();
    if (!(await releaseHeldMail(database, db, { userId, id, recipient }, { now, random }))) throw notHeld();
    await countHeldMail(database.engine, db, { userId, maskId }, "released", now);
  };
  const remove = async (db: Db, mail: HeldMailRow): Promise<void> => {
    if (!(await deleteHeldMail(database, db, mail, clock.now()))) throw notHeld();
  };
  const change = async (recordAnswer: RecordAnswer<void>, work: (db: Db) => Promise<void>): Promise<void> => {
    await database.transaction(async (db) => {
      await work(db);
      await recordAnswer(db);
    });
    delivery.wake();
    feed.wake();
  };

  return {
    list: async (userId, { maskId, before }) => {
      const rows = await listHeldMails(database.db, seal, userId, { maskId, before, limit: pageSize + 1 });
      return { mails: rows.slice(0, pageSize).map(toHeldMail), more: rows.length > pageSize };
    },

    read: async (userId, id) => {
      if (!isId(id)) throw notHeld();
      const unsent = await findUnsentReply(database.db, seal, { userId, id });
      if (unsent) return unsent.content;
      const copy = await findHeldCopy(database.db, bodies, { userId, id });
      if (!copy) throw notHeld();
      const content = await readShownBytes(copy);
      if (!content) throw tooLarge();
      return content;
    },

    release: (userId, { id, to }, recordAnswer) =>
      change(recordAnswer, async (db) => {
        const mail = await find(db, userId, id);
        await release(db, mail, to === undefined ? undefined : await confirmedAddress(db, mail, to));
      }),

    decideSender: (userId, id, list, recordAnswer) =>
      change(recordAnswer, async (db) => {
        const mail = await find(db, userId, id);
        const { maskId, from } = mail;
        if (maskId === null || !from?.address.includes("@") || !(await findMask(db, userId, maskId)))
          throw unknownSender();
        await senderLists.add(db, { userId, maskId }, list, from.address, clock.now());
        await recordSendersChange(db, { userId, maskId }, clock.now());
        await (list === "allow" ? release(db, mail) : remove(db, mail));
      }),

    remove: (userId, id, recordAnswer) =>
      change(recordAnswer, async (db) => remove(db, await find(db, userId, id))),
  };
};
