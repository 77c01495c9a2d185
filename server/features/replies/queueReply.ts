import type { Random } from "../../../core/ports/random.ts";
import type { FreshMails } from "../../delivery/delivery.ts";
import type { SentLog } from "../../delivery/mailLog/sentLog.ts";
import {
  bytesInMemory,
  contentOf,
  copyChunks,
  copySize,
  isInMemory,
  type OutgoingCopy,
} from "../../delivery/outgoingCopy.ts";
import type { BodyWriter } from "../../delivery/queue/bodyStore.ts";
import { bodiesOf } from "../../delivery/queue/queueBodies.ts";
import type { MailContent } from "../../platform/spool/mailContent.ts";
import { newQueueId } from "../../platform/store/id.ts";
import {
  type AlsoStore,
  type CommitRepliesDeps,
  createCommitReply,
  type PreparedReply,
  type Recipient,
} from "./commitReplies.ts";
import type { ReplyMask } from "./replyQueries.ts";
import * as refusals from "./replyRefusals.ts";
import type { WrittenReply } from "./rewrite/writeReply.ts";

export interface QueueReplyDeps extends CommitRepliesDeps {
  readonly random: Random;
  /** Takes the content of replies. */
  readonly bodies: BodyWriter;
  /** Receives small replies to deliver them from memory. */
  readonly fresh: Pick<FreshMails, "reserve" | "cancel" | "add">;
  readonly sentLog: Pick<SentLog, "prepare">;
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

/** The result of queuing a reply. */
export interface QueuedReply {
  /** The reason for which it is not stored; null when it is. */
  readonly refusal: refusals.ReplyRefusal | null;
  /** True if the delivery must read it from the store. */
  readonly isWaiting: boolean;
}

/** A mail from a mask that is to be queued. */
interface NewReply {
  readonly mask: ReplyMask;
  readonly recipients: readonly Recipient[];
  readonly written: WrittenReply;
}

const prepareReply = async (
  { bodies, fresh, sentLog, random }: Pick<QueueReplyDeps, "bodies" | "fresh" | "sentLog" | "random">,
  { mask, recipients, written: { head, pieces } }: NewReply,
  now: number,
): Promise<Omit<PreparedReply, "alsoStore">> => {
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
    network: null,
    isCounted: false,
    createdAt: now,
    copy,
    lease,
  }));
  return { mask, recipients, heads: rows, written, mails, lease, bytes, entry };
};

/** Creates the function that queues, counts and records a mail from a mask; it refuses beyond the daily limit. */
export const createQueueReply = (deps: QueueReplyDeps) => {
  const { fresh, clock } = deps;
  const commit = createCommitReply(deps);

  return async (
    mask: ReplyMask,
    recipients: readonly Recipient[],
    written: WrittenReply,
    alsoStore: AlsoStore = async () => {},
  ): Promise<QueuedReply> => {
    const now = clock.now();
    if (mask.pausedUntil > now) return { refusal: refusals.repliesPaused, isWaiting: false };
    const reply = await prepareReply(deps, { mask, recipients, written }, now);
    let isStored = false;
    try {
      isStored = (await commit({ ...reply, alsoStore })) === "queued";
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
