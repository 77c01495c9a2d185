import type { Random } from "../../../../core/ports/random.ts";
import type { MailWithHeader } from "../../../mime/mailFields.ts";
import type { WorkerPool, WorkerPoolOptions } from "../../../platform/workers/workerPool.ts";
import type { ThreadIdsOf } from "../threadIds.ts";
import { GrownTooLong, reverseLocalPartsIn } from "./ownerTraces.ts";
import type { ReplyContext } from "./replyHeader.ts";
import { type ReplyPart, readReplyParts, textsOf, UnreadableMail } from "./replyParts.ts";
import { RevealingReply, type WrittenReply, writeReply } from "./writeReply.ts";

/** The reason for which a reply cannot be made anonymous. */
export type ReplyProblem = "unreadable" | "too-long" | "revealing";

/** The context for writing a reply, as far as it can be given to a worker thread. */
export type ReplyDetails = Omit<ReplyContext, "ids" | "random">;

/** One step for a worker thread: the search for reverse addresses, or the whole reply. */
export interface ReplyTask {
  readonly content: Uint8Array;
  readonly userId: string;
  readonly maskDomain: string;
  /** The key of thread ids. */
  readonly threadKey: Uint8Array;
  /** null searches for reverse addresses only. */
  readonly details: ReplyDetails | null;
}

/** The answer of a worker thread; the problem instead of an error, whose class does not survive. */
export type ReplyTaskResult =
  | { readonly problem: ReplyProblem }
  | { readonly reverse: readonly string[] }
  | { readonly written: WrittenReply };

/** For replies with long texts; those beyond the limit are refused. */
export const replyThreads: WorkerPoolOptions = {
  module: new URL("./replyThread.ts", import.meta.url),
  maxThreads: 2,
  idleThreads: 0,
  timeLimitMs: 30_000,
  memoryLimitMb: 768,
};

/** Replies up to this size are written in this thread, in some milliseconds. */
const lightBytes = 64 * 1024;

/** A reply that was read. */
export interface OpenedReply {
  /** The local parts of the reverse addresses in its texts. */
  readonly reverse: readonly string[];
  readonly write: (details: ReplyDetails) => Promise<WrittenReply | ReplyProblem>;
}

/** Reads a reply of a user; a problem says why it cannot be made anonymous. */
export type OpenReply = (mail: MailWithHeader, userId: string) => Promise<OpenedReply | ReplyProblem>;

export interface OpenReplyDeps {
  readonly pool: Pick<WorkerPool<ReplyTask, ReplyTaskResult>, "run">;
  readonly maskDomain: string;
  readonly threadKey: Uint8Array;
  readonly threadIdsOf: ThreadIdsOf;
  readonly random: Random;
}

/** Returns what was thrown as a problem; other errors are thrown again. */
export const orProblem = <A>(run: () => A): A | ReplyProblem => {
  try {
    return run();
  } catch (error) {
    if (error instanceof UnreadableMail) return "unreadable";
    if (error instanceof GrownTooLong) return "too-long";
    if (error instanceof RevealingReply) return "revealing";
    throw error;
  }
};

/** Returns the local parts of the reverse addresses in the texts of a mail. */
export const reverseIn = (part: ReplyPart, maskDomain: string): readonly string[] => [
  ...new Set(textsOf(part).flatMap((text) => reverseLocalPartsIn(text, maskDomain))),
];

/** Bytes that come from a worker thread, as a buffer without a copy. */
const toBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

/** Creates the reading and writing of replies: small ones in this thread, others in worker threads with a deadline. */
export const createOpenReply = (deps: OpenReplyDeps): OpenReply => {
  const { pool, maskDomain, threadKey, threadIdsOf, random } = deps;

  const openHere = (mail: MailWithHeader, userId: string): OpenedReply | ReplyProblem => {
    const opened = orProblem(() => {
      const part = readReplyParts(mail);
      return { part, reverse: reverseIn(part, maskDomain) };
    });
    if (typeof opened === "string") return opened;
    const { part, reverse } = opened;
    return {
      reverse,
      write: async (details) =>
        orProblem(() => writeReply(mail, part, { ...details, ids: threadIdsOf(userId), random })),
    };
  };

  const openInThread = async (mail: MailWithHeader, userId: string): Promise<OpenedReply | ReplyProblem> => {
    const run = (details: ReplyDetails | null): Promise<ReplyTaskResult> =>
      pool
        .run({ content: mail.content, userId, maskDomain, threadKey, details }, userId)
        .catch(() => ({ problem: "too-long" }) as const);
    const found = await run(null);
    if ("problem" in found) return found.problem;
    return {
      reverse: "reverse" in found ? found.reverse : [],
      write: async (details) => {
        const result = await run(details);
        if (!("written" in result)) return "problem" in result ? result.problem : "unreadable";
        const { head, pieces, ...flags } = result.written;
        return { head: toBuffer(head), pieces: pieces.map(toBuffer), ...flags };
      },
    };
  };

  return async (mail, userId) =>
    mail.content.length <= lightBytes ? openHere(mail, userId) : openInThread(mail, userId);
};
