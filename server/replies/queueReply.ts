import type { Clock } from "../../core/ports/clock.ts";
import type { Random } from "../../core/ports/random.ts";
import { contentOf, copySize, type OutgoingCopy } from "../delivery/outgoingCopy.ts";
import { bodiesOf, insertBodies } from "../delivery/queueBodies.ts";
import { insertQueuedMails } from "../delivery/queueQueries.ts";
import { monthOf } from "../delivery/usageQueries.ts";
import { addCounts, type Count } from "../insights/countQueries.ts";
import { periodOf } from "../insights/history.ts";
import type { MailContent } from "../smtp/rawMail.ts";
import type { Database } from "../store/database.ts";
import { appendEvent } from "../store/events.ts";
import { newQueueId } from "../store/id.ts";
import { countReplies, type ReplyMask, takeDailyReplies } from "./replyQueries.ts";
import * as refusals from "./replyRefusals.ts";
import type { ReverseAddress, ReverseAddresses } from "./reverseAddresses.ts";
import type { WrittenReply } from "./writeReply.ts";

/** A recipient of a mail from a mask; `reverse` is null for the owner's own mailbox. */
export interface Recipient {
  readonly address: string;
  readonly reverse: ReverseAddress | null;
}

export interface QueueReplyDeps {
  readonly database: Database;
  readonly reverseAddresses: ReverseAddresses;
  readonly clock: Pick<Clock, "now">;
  readonly random: Random;
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

/** Creates the function that queues, counts and records a mail from a mask; it refuses beyond the daily limit. */
export const createQueueReply = ({ database, reverseAddresses, clock, random }: QueueReplyDeps) => {
  return async (
    mask: ReplyMask,
    recipients: readonly Recipient[],
    { head, pieces }: WrittenReply,
  ): Promise<refusals.ReplyRefusal | null> => {
    const { maskId, userId, maskEmail: envelopeSender, repliesPerDay: limit } = mask;
    const now = clock.now();
    const count = recipients.length;
    const newId = (): string => newQueueId(random, now);
    const body = { content: toContent(pieces), skip: 0 };
    const copies = recipients.map(({ address }): OutgoingCopy => ({ recipient: address, head, body }));
    const { references, rows } = await bodiesOf(copies, newId, false);
    const queued = copies.map((copy, n) => ({
      id: newId(),
      userId,
      maskId,
      envelopeSender,
      recipient: copy.recipient,
      bodyId: references[n]?.bodyId ?? null,
      bodyHead: references[n]?.bodyHead ?? 0,
      size: copySize(copy),
      attempts: 0,
      reportTo: null,
      createdAt: now,
      lease: null,
    }));
    return database.transaction(async (tx) => {
      if (!(await takeDailyReplies(tx, { userId, count, limit }, now))) return refusals.dailyLimit;
      await insertBodies(database, tx, rows);
      await insertQueuedMails(database, tx, queued);
      const reverse = recipients.flatMap((recipient) => recipient.reverse ?? []);
      for (const one of reverse) await reverseAddresses.open(tx, one, one.correspondent);
      if (reverse.length > 0) await reverseAddresses.recordReply(tx, reverse);
      await countReplies(tx, { maskId, userId, count });
      await addCounts(tx, database.engine, countsOf(mask, count, now), now);
      await appendEvent(tx, { userId, resource: "masks", resourceId: maskId, action: "updated" }, now);
      return null;
    });
  };
};
