import type { Clock } from "../../../core/ports/clock.ts";
import type { RepliesPerDay } from "../../../core/tiers/tier.ts";
import { type NewLogEntry, recordEntries } from "../../delivery/mailLog/logQueries.ts";
import type { OutgoingCopy } from "../../delivery/outgoingCopy.ts";
import type { BodyRow } from "../../delivery/queue/bodyRows.ts";
import { joinWritten, type WrittenBodies } from "../../delivery/queue/bodyStore.ts";
import { insertBodies } from "../../delivery/queue/queueBodies.ts";
import { insertQueuedMails, type QueuedMail } from "../../delivery/queue/queueQueries.ts";
import { monthOf } from "../../delivery/usageQueries.ts";
import type { Seal } from "../../platform/ops/secrets.ts";
import { type Database, type Db, tryInSavepoint } from "../../platform/store/database.ts";
import { appendEvents, type NewEvent } from "../../platform/store/events.ts";
import type { GroupCommit, Submit } from "../../platform/store/groupCommit.ts";
import { countReplies, takeDailyReplies } from "../correspondents/replyCounts.ts";
import type { ReverseAddress, ReverseAddresses } from "../correspondents/reverseAddresses.ts";
import { addCounts, type Count } from "../insights/countQueries.ts";
import { periodOf } from "../insights/history.ts";
import { announceSentMails } from "./announceSentMail.ts";
import type { ReplyMask } from "./replyQueries.ts";
import { recordSentMessageIds } from "./sentMessageIds.ts";

/** A recipient of a mail from a mask; `reverse` is null for the owner's own mailbox. */
export interface Recipient {
  readonly address: string;
  readonly reverse: ReverseAddress | null;
}

/** Stores what else changes with a reply, in the same transaction; what it throws undoes all. */
export type AlsoStore = (tx: Db) => Promise<void>;

/** The rows of a reply, and the lease of this process when it is delivered from memory. */
export interface PreparedReply {
  readonly mask: ReplyMask;
  readonly recipients: readonly Recipient[];
  /** The beginnings of copies that share a body. */
  readonly heads: readonly BodyRow[];
  readonly written: WrittenBodies;
  readonly mails: readonly (QueuedMail & { readonly copy: OutgoingCopy; readonly lease: string | null })[];
  readonly lease: string | null;
  /** Bytes that are reserved in memory. */
  readonly bytes: number;
  /** null when it is not logged. */
  readonly entry: NewLogEntry | null;
  readonly alsoStore: AlsoStore;
}

export interface CommitRepliesDeps {
  readonly database: Database;
  /** Null where each reply has a commit of its own. */
  readonly group: Pick<GroupCommit, "kind"> | null;
  readonly reverseAddresses: Pick<ReverseAddresses, "recordReply">;
  /** The maximum number of replies of a user a day (UTC). */
  readonly repliesPerDay: RepliesPerDay;
  readonly clock: Pick<Clock, "now">;
  /** Encrypts the recipients in messages to webhooks. */
  readonly seal: Pick<Seal, "seal">;
}

/** A reply is stored completely, or, beyond the limit of the day, nothing of it is. */
export type ReplyCommit = "queued" | "limit";

const countsOf = ({ mask, recipients }: PreparedReply, now: number): readonly Count[] => {
  const { userId, maskId, historyMs } = mask;
  return [null, maskId].flatMap((id) => {
    const count = { userId, maskId: id, key: "replied", n: recipients.length };
    return [
      { ...count, kind: "flow", period: periodOf(historyMs, now) },
      { ...count, kind: "month", period: monthOf(now) },
    ] as const;
  });
};

const toSent = ({ mask, recipients, mails, entry }: PreparedReply) => ({
  sender: mask,
  recipients: recipients.map(({ address }) => address),
  size: Math.max(...mails.map(({ size }) => size)),
  logId: entry?.id ?? null,
});

/** One event a mask, however many replies it has sent. */
const eventsOf = (replies: readonly PreparedReply[]): readonly NewEvent[] =>
  [...new Map(replies.map(({ mask }) => [mask.maskId, mask])).values()].map(({ userId, maskId }) => ({
    userId,
    resource: "masks",
    resourceId: maskId,
    action: "updated",
  }));

/** Stores replies that are within their limits. */
const storeQueued = async (
  { database, reverseAddresses, seal }: CommitRepliesDeps,
  db: Db,
  replies: readonly PreparedReply[],
  now: number,
): Promise<void> => {
  const { rows, assertInTime } = joinWritten(replies.map(({ written }) => written));
  assertInTime();
  await insertBodies(database, db, [...replies.flatMap(({ heads }) => heads), ...rows]);
  const mails = replies.flatMap((reply) => reply.mails);
  await insertQueuedMails(database, db, mails);
  const sent = mails.map(({ id, copy }) => ({ queueId: id, head: copy.head }));
  await recordSentMessageIds(database, db, sent, now);
  const entries = replies.flatMap(({ entry }) =>
    entry === null ? [] : [{ ...entry, result: "queued" as const }],
  );
  await recordEntries(database, db, { entries, steps: [] }, now);
  const reverse = replies.flatMap(({ recipients }) => recipients.flatMap((one) => one.reverse ?? []));
  await reverseAddresses.recordReply(db, reverse);
  await countReplies(
    database,
    db,
    replies.map(({ mask, recipients }) => ({ ...mask, count: recipients.length })),
  );
  await addCounts(
    db,
    database.engine,
    replies.flatMap((reply) => countsOf(reply, now)),
    now,
  );
  await tryInSavepoint(db, () => announceSentMails(db, seal, replies.map(toSent), now));
  await appendEvents(database, db, eventsOf(replies), now);
  for (const { alsoStore } of replies) await alsoStore(db);
};

const storeReplies = async (
  deps: CommitRepliesDeps,
  db: Db,
  replies: readonly PreparedReply[],
): Promise<readonly ReplyCommit[]> => {
  const { database, repliesPerDay, clock } = deps;
  const now = clock.now();
  const taken = await takeDailyReplies(
    database,
    db,
    replies.map(({ mask, recipients }) => ({
      userId: mask.userId,
      count: recipients.length,
      limit: repliesPerDay[mask.tier],
    })),
    now,
  );
  const within = replies.filter((_, n) => taken[n]);
  if (within.length > 0) await storeQueued(deps, db, within, now);
  return replies.map((_, n) => (taken[n] ? "queued" : "limit"));
};

const bytesOf = ({ mails }: PreparedReply): number =>
  mails.reduce((sum, { copy }) => sum + copy.head.length, mails[0]?.size ?? 0);

/**
 * Creates the commit of replies. Each is stored completely or not at all, with its queue rows, counters and events.
 * Those that come together share a transaction; one that is beyond its limit, or fails, does not affect the others.
 */
export const createCommitReply = (deps: CommitRepliesDeps): Submit<PreparedReply, ReplyCommit> => {
  const { database, group } = deps;
  if (group)
    return group.kind<PreparedReply, ReplyCommit>((db, replies) => storeReplies(deps, db, replies), {
      weightOf: bytesOf,
    });
  return async (reply) => {
    const [result = "limit"] = await database.transaction((db) => storeReplies(deps, db, [reply]));
    return result;
  };
};
