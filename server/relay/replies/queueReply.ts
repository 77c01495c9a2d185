import type { Clock } from "../../../core/ports/clock.ts";
import type { Random } from "../../../core/ports/random.ts";
import type { RepliesPerDay } from "../../../core/tiers/tier.ts";
import type { FreshMails } from "../../delivery/delivery.ts";
import { type NewLogEntry, recordEntries } from "../../delivery/mailLog/logQueries.ts";
import {
  bytesInMemory,
  contentOf,
  copyChunks,
  copySize,
  isInMemory,
  type OutgoingCopy,
} from "../../delivery/outgoingCopy.ts";
import type { BodyRow } from "../../delivery/queue/bodyRows.ts";
import type { BodyWriter, WrittenBodies } from "../../delivery/queue/bodyStore.ts";
import { bodiesOf, insertBodies } from "../../delivery/queue/queueBodies.ts";
import { insertQueuedMails, type QueuedMail } from "../../delivery/queue/queueQueries.ts";
import { monthOf } from "../../delivery/usageQueries.ts";
import { countReplies, takeDailyReplies } from "../../features/correspondents/replyCounts.ts";
import type { ReverseAddress, ReverseAddresses } from "../../features/correspondents/reverseAddresses.ts";
import { addCounts, type Count } from "../../features/insights/countQueries.ts";
import { periodOf } from "../../features/insights/history.ts";
import type { SentLog } from "../../features/mailLog/sentLog.ts";
import { announceSentMail } from "../../features/webhooks/announceSentMail.ts";
import type { Seal } from "../../platform/ops/secrets.ts";
import type { MailContent } from "../../platform/spool/mailContent.ts";
import { type Database, type Db, leniently } from "../../platform/store/database.ts";
import { appendEvent } from "../../platform/store/events.ts";
import { newQueueId } from "../../platform/store/id.ts";
import type { ReplyMask } from "./replyQueries.ts";
import * as refusals from "./replyRefusals.ts";
import type { WrittenReply } from "./rewrite/writeReply.ts";
import { recordSentMessageId } from "./sentMessageIds.ts";

/** A recipient of a mail from a mask; `reverse` is null for the owner's own mailbox. */
export interface Recipient {
  readonly address: string;
  readonly reverse: ReverseAddress | null;
}

export interface QueueReplyDeps {
  readonly database: Database;
  readonly reverseAddresses: ReverseAddresses;
  /** The maximum number of replies of a user a day (UTC). */
  readonly repliesPerDay: RepliesPerDay;
  /** Takes the content of replies. */
  readonly bodies: BodyWriter;
  /** Receives small replies to deliver them from memory. */
  readonly fresh: Pick<FreshMails, "reserve" | "cancel" | "add">;
  readonly sentLog: Pick<SentLog, "prepare">;
  readonly clock: Pick<Clock, "now">;
  readonly random: Random;
  /** Encrypts the recipients in messages to webhooks. */
  readonly seal: Pick<Seal, "seal">;
}

const chunkBytes = 256 * 1024;

/** Returns the same bytes in chunks of at most 256 KiB; only small pieces are copied. */
function* rechunk(pieces: readonly Buffer[]): Iterable<Buffer> {
  let small: Buffer[] = [];
  let bytes = 0;
  for (const piece of pieces)
    for (let at = 0; at < piece.length; at += chunkBytes) {
      const part = piece.subarray(at, at + chunkBytes);
      if (bytes + part.length > chunkBytes) {
        yield Buffer.concat(small);
        small = [];
        bytes = 0;
      }
      small.push(part);
      bytes += part.length;
    }
  yield Buffer.concat(small);
}

const toContent = (pieces: readonly Buffer[]): MailContent => {
  const size = pieces.reduce((sum, { length }) => sum + length, 0);
  if (size <= chunkBytes) return contentOf(Buffer.concat(pieces));
  return { size, head: Buffer.alloc(0), chunks: () => rechunk(pieces) };
};

const countsOf = ({ userId, maskId, historyMs }: ReplyMask, n: number, now: number): readonly Count[] =>
  [null, maskId].flatMap((id) => {
    const count = { userId, maskId: id, key: "replied", n };
    return [
      { ...count, kind: "flow", period: periodOf(historyMs, now) },
      { ...count, kind: "month", period: monthOf(now) },
    ] as const;
  });

/** What became of a reply. */
export interface QueuedReply {
  /** Why it is not stored; null when it is. */
  readonly refusal: refusals.ReplyRefusal | null;
  /** Whether the delivery must read it from the store. */
  readonly isWaiting: boolean;
}

/** What else changes with a reply, in the same transaction; what it throws undoes all. */
export type AlsoStore = (tx: Db) => Promise<void>;

/** The rows of a reply, and the lease of this process when it is delivered from memory. */
interface PreparedReply {
  /** The beginnings of copies that share a body. */
  readonly heads: readonly BodyRow[];
  readonly written: WrittenBodies;
  readonly mails: readonly (QueuedMail & { readonly copy: OutgoingCopy; readonly lease: string | null })[];
  readonly lease: string | null;
  /** Bytes that are reserved in memory. */
  readonly bytes: number;
  /** null when it is not logged. */
  readonly entry: NewLogEntry | null;
}

const prepareReply = async (
  { bodies, fresh, sentLog, random }: Pick<QueueReplyDeps, "bodies" | "fresh" | "sentLog" | "random">,
  mask: ReplyMask,
  recipients: readonly Recipient[],
  { head, pieces }: WrittenReply,
  now: number,
): Promise<PreparedReply> => {
  const { userId, maskId, maskEmail } = mask;
  const newId = (): string => newQueueId(random, now);
  const body = { content: toContent(pieces), skip: 0 };
  const copies = recipients.map(({ address }): OutgoingCopy => ({ recipient: address, head, body }));
  const { references, rows, contents } = bodiesOf(copies, newId, bodies);
  const written = await bodies.write(contents);
  const entry = await sentLog.prepare(mask, {
    recipients: recipients.map(({ address }) => address),
    size: Math.max(...copies.map(copySize)),
  });
  const bytes = copies.reduce((sum, copy) => sum + bytesInMemory(copy), 0);
  const lease = isInMemory(body.content) ? fresh.reserve(bytes) : null;
  const mails = copies.map((copy, n) => ({
    id: newId(),
    userId,
    maskId,
    envelopeSender: maskEmail,
    recipient: copy.recipient,
    bodyId: references[n]?.bodyId ?? null,
    bodyHead: references[n]?.bodyHead ?? 0,
    size: copySize(copy),
    attempts: lease === null ? 0 : 1,
    reportTo: null,
    logId: entry?.id ?? null,
    createdAt: now,
    copy,
    lease,
  }));
  return { heads: rows, written, mails, lease, bytes, entry };
};

/** Creates the function that queues, counts and records a mail from a mask; it refuses beyond the daily limit. */
export const createQueueReply = (deps: QueueReplyDeps) => {
  const { database, reverseAddresses, repliesPerDay, fresh, clock } = deps;

  /** False, without a change, when the daily limit is reached. */
  const store = async (
    tx: Db,
    mask: ReplyMask,
    recipients: readonly Recipient[],
    { heads, written, mails, entry }: PreparedReply,
    alsoStore: AlsoStore,
  ): Promise<boolean> => {
    const { maskId, userId } = mask;
    const [now, count, limit] = [clock.now(), recipients.length, repliesPerDay[mask.tier]];
    if (!(await takeDailyReplies(tx, { userId, count, limit }, now))) return false;
    written.assertInTime();
    await insertBodies(database, tx, [...heads, ...written.rows]);
    await insertQueuedMails(database, tx, mails);
    const ids = mails.map(({ id }) => id);
    await recordSentMessageId(tx, mails[0]?.copy.head ?? Buffer.alloc(0), ids, now);
    const entries = entry === null ? [] : [{ ...entry, result: "queued" as const }];
    await recordEntries(database, tx, { entries, steps: [] }, now);
    const reverse = recipients.flatMap((recipient) => recipient.reverse ?? []);
    for (const one of reverse) await reverseAddresses.open(tx, one, one.correspondent);
    if (reverse.length > 0) await reverseAddresses.recordReply(tx, reverse);
    await countReplies(tx, { maskId, userId, count });
    await addCounts(tx, database.engine, countsOf(mask, count, now), now);
    const sent = {
      recipients: recipients.map(({ address }) => address),
      size: Math.max(...mails.map(({ size }) => size)),
      logId: entry?.id ?? null,
    };
    await leniently(tx, () => announceSentMail(tx, deps.seal, mask, sent, now));
    await appendEvent(tx, { userId, resource: "masks", resourceId: maskId, action: "updated" }, now);
    await alsoStore(tx);
    return true;
  };

  return async (
    mask: ReplyMask,
    recipients: readonly Recipient[],
    written: WrittenReply,
    alsoStore: AlsoStore = async () => {},
  ): Promise<QueuedReply> => {
    const now = clock.now();
    if (mask.pausedUntil > now) return { refusal: refusals.repliesPaused, isWaiting: false };
    const reply = await prepareReply(deps, mask, recipients, written, now);
    let isStored = false;
    try {
      isStored = await database.transaction((tx) => store(tx, mask, recipients, reply, alsoStore));
    } finally {
      reply.written.release();
      if (reply.lease !== null && !isStored) fresh.cancel(reply.bytes);
    }
    if (!isStored) return { refusal: refusals.dailyLimit, isWaiting: false };
    if (reply.lease === null) return { refusal: null, isWaiting: true };
    for (const { copy, ...mail } of reply.mails) fresh.add(mail, bytesInMemory(copy), () => copyChunks(copy));
    return { refusal: null, isWaiting: false };
  };
};
