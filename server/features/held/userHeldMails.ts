import { type HeldMail, type HeldPage, heldDays, maxReadBytes } from "../../../core/held/heldMail.ts";
import { dayMs } from "../../../core/kernel/durations.ts";
import { isSameMailbox } from "../../../core/mail/mailboxName.ts";
import type { SenderList } from "../../../core/senders/maskSenders.ts";
import type { ServerContext } from "../../context/serverContext.ts";
import { fieldError, UseCaseError } from "../../platform/errors/useCaseError.ts";
import { afterCommit } from "../../platform/store/afterCommit.ts";
import type { Db } from "../../platform/store/database.ts";
import { isId } from "../../platform/store/id.ts";
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
import { findUnsentReply } from "./unsentReplyQueries.ts";

const pageSize = 100;

/** Converts a row to the mail that clients receive. */
export const toHeldMail = ({ userId: _, heldAt, ...row }: HeldMailRow): HeldMail => ({
  ...row,
  held: new Date(heldAt).toISOString(),
  until: new Date(heldAt + heldDays * dayMs).toISOString(),
});

const unknownSender = (): UseCaseError =>
  new UseCaseError("conflict", "The sender or the mask of this email is not known here.");

const notReleased = (): UseCaseError =>
  new UseCaseError("conflict", "This is a reply that was refused. Send it again through its mask.");

/** The refusal of a decision about a mail that is not held. */
export const notHeld = (): UseCaseError => new UseCaseError("missing", "This email is no longer held.");

const tooLarge = (): UseCaseError =>
  new UseCaseError(
    "invalid",
    `This email is larger than ${maxReadBytes / 1024 / 1024} MB, which is too much to show here. Release it to read it in your mail program.`,
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
    throw fieldError("invalid", "to", "An email that you sent goes to its recipient only.");
  const confirmed = await listConfirmedAddresses(db, mail.userId);
  const address = confirmed.find((own) => isSameMailbox(own, to));
  if (address === undefined)
    throw fieldError(
      "invalid",
      "to",
      "Choose one of your confirmed addresses. A new address is confirmed by the link in the email to it.",
    );
  return address;
};

export type HeldMailContext = Pick<
  ServerContext,
  "database" | "seal" | "bodies" | "senderLists" | "clock" | "random" | "delivery"
>;

const getHeld = async (
  { seal }: Pick<HeldMailContext, "seal">,
  db: Db,
  userId: string,
  id: string,
): Promise<HeldMailRow> => {
  const mail = isId(id) ? await findHeldMail(db, seal, userId, id) : undefined;
  if (!mail) throw notHeld();
  return mail;
};

const release = async (
  { database, clock, random, delivery }: HeldMailContext,
  tx: Db,
  { userId, id, maskId, reason }: HeldMailRow,
  recipient?: string,
): Promise<void> => {
  const now = clock.now();
  if (reason === "unsent") throw notReleased();
  if (!(await releaseHeldMail(database, tx, { userId, id, recipient }, { now, random }))) throw notHeld();
  await countHeldMail(database.engine, tx, { userId, maskId }, "released", now);
  afterCommit(tx, delivery.wake);
};

const remove = async ({ database, clock }: HeldMailContext, tx: Db, mail: HeldMailRow): Promise<void> => {
  if (!(await deleteHeldMail(database, tx, mail, clock.now()))) throw notHeld();
};

/** Returns the newest held mails of a user before a position. */
export const listHeld = async (
  { seal }: Pick<HeldMailContext, "seal">,
  db: Db,
  userId: string,
  { maskId, before }: { readonly maskId?: string | undefined; readonly before?: string | undefined },
): Promise<HeldPage> => {
  const rows = await listHeldMails(db, seal, userId, { maskId, before, limit: pageSize + 1 });
  return { mails: rows.slice(0, pageSize).map(toHeldMail), more: rows.length > pageSize };
};

/**
 * Returns the content of a mail as it would be sent. Rejects with 404 when it is not held for the user, and with 400 when
 * it is too large to be shown.
 */
export const readHeld = async (
  { database: { db }, seal, bodies }: HeldMailContext,
  userId: string,
  id: string,
): Promise<Buffer> => {
  if (!isId(id)) throw notHeld();
  const unsent = await findUnsentReply(db, seal, { userId, id });
  if (unsent) return unsent.content;
  const copy = await findHeldCopy(db, bodies, { userId, id });
  if (!copy) throw notHeld();
  const content = await readShownBytes(copy);
  if (!content) throw tooLarge();
  return content;
};

/** Queues a mail again, for a confirmed address if given. Rejects with 404 when it is not held for the user. */
export const releaseHeld = async (
  context: HeldMailContext,
  tx: Db,
  userId: string,
  { id, to }: { readonly id: string; readonly to?: string | undefined },
): Promise<void> => {
  const mail = await getHeld(context, tx, userId, id);
  await release(context, tx, mail, to === undefined ? undefined : await confirmedAddress(tx, mail, to));
};

/**
 * Puts the sender of a mail on a list of its mask, and releases or deletes the mail. Rejects with 404 when it
 * is not held for the user, and with 409 when its sender has no address.
 */
export const decideHeldSender = async (
  context: HeldMailContext,
  tx: Db,
  userId: string,
  { id, list }: { readonly id: string; readonly list: SenderList },
): Promise<void> => {
  const { senderLists, clock } = context;
  const mail = await getHeld(context, tx, userId, id);
  const { maskId, from } = mail;
  if (maskId === null || !from?.address.includes("@") || !(await findMask(tx, userId, maskId)))
    throw unknownSender();
  await senderLists.add(tx, { userId, maskId }, list, from.address, clock.now());
  await recordSendersChange(tx, { userId, maskId }, clock.now());
  await (list === "allow" ? release(context, tx, mail) : remove(context, tx, mail));
};

/** Deletes a mail with its content. Rejects with 404 when it is not held for the user. */
export const removeHeld = async (
  context: HeldMailContext,
  tx: Db,
  userId: string,
  id: string,
): Promise<void> => remove(context, tx, await getHeld(context, tx, userId, id));
