import { withMail } from "../../core/masks/mailStatistics.ts";
import type { Random } from "../../core/ports/random.ts";
import type { PassedMail } from "../relay/countMails.ts";
import type { Copy, Passage } from "../relay/passage.ts";
import { keepInArchive } from "../store/archive.ts";
import { claimAnswer } from "../store/automaticAnswers.ts";
import type { Db } from "../store/database.ts";
import { addToDigest } from "../store/digest.ts";
import { enqueue } from "../store/queue.ts";
import { changeDetails, countReceived } from "../store/statistics.ts";
import { archiveIsFull } from "./archiveFull.ts";
import { notifyOwner } from "./notifyOwner.ts";

export interface Writing {
  readonly now: number;
  readonly random: Random;
  /** The month the mail counts for. */
  readonly month: string;
  /** Ours, or empty for the null sender. */
  readonly envelopeSender: string;
}

interface Kept {
  readonly archived: boolean;
  /** What leaves at once: one copy more where there was no room to keep the mail. */
  readonly copies: readonly Copy[];
}

/** Keeps the mail where a rule wants that. */
const keep = async (db: Db, passage: Passage, { now, random }: Writing): Promise<Kept> => {
  const { route, archive: wanted, copies } = passage;
  if (!wanted) return { archived: false, copies };
  const { userId, maskId, storage, destination } = route;
  const { content, markAsRead } = wanted;
  const mail = { userId, maskId, content, read: markAsRead };
  if (await keepInArchive(db, mail, { now, random, storage })) return { archived: true, copies };
  await archiveIsFull(db, route, now);
  const isSent = copies.some(({ recipient }) => recipient === destination);
  return { archived: false, copies: isSent ? copies : [...copies, { recipient: destination, content }] };
};

/** Whether the sender is answered, which the answer's row then says. */
const claimsAnswer = async (db: Db, { route, answer }: Passage, now: number): Promise<boolean> => {
  const { userId, maskId } = route;
  return answer !== null && claimAnswer(db, { userId, maskId, senderHash: answer.senderHash }, now);
};

const countRules = async (db: Db, { route, decision, block }: Passage, now: number): Promise<void> => {
  const { applied, tags } = decision;
  if (applied.length === 0 && block === null) return;
  const at = new Date(now).toISOString();
  await changeDetails(db, route.maskId, (details) => withMail(details, { at, applied, tags, block }));
};

const send = async (
  db: Db,
  passage: Passage,
  copies: readonly Copy[],
  isAnswered: boolean,
  { now, random, envelopeSender }: Writing,
): Promise<void> => {
  const { userId, maskId } = passage.route;
  const at = { now, random };
  for (const copy of copies) await enqueue(db, { userId, maskId, envelopeSender, ...copy }, at);
  for (const copy of passage.digest) await addToDigest(db, { userId, maskId, ...copy }, at);
  if (!isAnswered || passage.answer === null) return;
  const { recipient, content } = passage.answer;
  await enqueue(db, { userId, maskId, envelopeSender: "", recipient, content }, at);
};

/**
 * Writes down what becomes of a mail for one mask, in the mail's transaction. null, and nothing may be committed, when
 * the mask's owner has changed their mind meanwhile.
 */
export const recordPassage = async (
  db: Db,
  passage: Passage,
  writing: Writing,
): Promise<PassedMail | null> => {
  const { route, block, digest } = passage;
  const { now } = writing;
  const { archived, copies } = await keep(db, passage, writing);
  const answered = await claimsAnswer(db, passage, now);
  const forwarded = copies.length + digest.length > 0;
  if (!(await countReceived(db, route, { forwarded, blocked: block !== null, answered }, writing)))
    return null;
  await countRules(db, passage, now);
  await send(db, passage, copies, answered, writing);
  await notifyOwner(db, passage, now);
  return { passage, forwarded, archived, answered };
};
