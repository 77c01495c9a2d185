import { sql } from "kysely";
import type { Clock } from "../../core/ports/clock.ts";
import type { Random } from "../../core/ports/random.ts";
import type { Log } from "../log.ts";
import { type CountMails, countNothing, type PassedMail } from "../relay/countMails.ts";
import { type Passage, weightOf } from "../relay/passage.ts";
import type { Database, Db } from "../store/database.ts";
import { appendEvent, type ChangeEvent } from "../store/events.ts";
import { type GroupCommit, makeGroupCommit } from "../store/groupCommit.ts";
import { enqueue } from "../store/queue.ts";
import { countBlockedOfMonth, takeOfMonth } from "../store/usage.ts";
import { traceOf } from "../trace.ts";
import { recordPassage } from "./recordPassage.ts";
import { announceUsage } from "./usageAnnouncement.ts";

/** A mail that is whole, as it will leave for each of its masks. */
export interface IncomingMail {
  /** The month it counts for. */
  readonly month: string;
  /** Ours, or empty for the null sender. */
  readonly envelopeSender: string;
  /** Each mask once. */
  readonly passages: readonly Passage[];
  /** The copy for the postmaster, who has no month to count it for. */
  readonly notice: { readonly recipient: string; readonly content: Uint8Array } | null;
}

/** What became of a mail: queued whole, or nothing of it was kept. */
export interface Acceptance {
  readonly kind: "queued" | "limit" | "changed" | "failed";
  /** What is known since of the month of its owners: at least so many mails. */
  readonly received: ReadonlyMap<string, number>;
}

const mailsInACommit = 200;
const bytesInACommit = 64 * 1024 * 1024;

interface Moment {
  readonly now: number;
  readonly random: Random;
  /** What is to be told once: by key, so that a burst to one mask is one event. */
  readonly events: Map<string, ChangeEvent>;
  /** The mails of this commit, for figures. */
  readonly passed: PassedMail[];
}

const nothingKnown: ReadonlyMap<string, number> = new Map();

/** In the order of the users, so that two processes lock their rows in the same order. */
const passagesByUser = ({ passages }: IncomingMail): readonly (readonly [string, readonly Passage[]])[] => {
  const users = [...new Set(passages.map(({ route }) => route.userId))].sort();
  return users.map((userId) => [userId, passages.filter(({ route }) => route.userId === userId)]);
};

const isBlocked = ({ decision }: Passage): boolean => decision.block !== null;
const isForwarded = ({ copies, digest }: Passage): boolean => copies.length + digest.length > 0;

/** Counts a user's part of a mail against the month; what is stopped does not use up the plan (D34). */
const takeMonth = async (
  db: Db,
  of: { readonly userId: string; readonly month: string },
  passages: readonly Passage[],
  now: number,
): Promise<{ readonly received: number; readonly isLeft: boolean }> => {
  const passing = passages.filter((passage) => !isBlocked(passage));
  const blocked = passages.length - passing.length;
  if (blocked > 0) await countBlockedOfMonth(db, { ...of, count: blocked });
  if (passing.length === 0) return { received: 0, isLeft: true };
  const limit = Math.min(...passing.map(({ route }) => route.emailsPerMonth));
  const forwarded = passing.filter(isForwarded).length;
  const usage = await takeOfMonth(db, { ...of, limit, count: passing.length, forwarded });
  if (!usage) return { received: limit - passing.length + 1, isLeft: false };
  await announceUsage(db, { ...of, limit }, usage, now);
  return { received: usage.received, isLeft: true };
};

const queueMail = async (db: Db, mail: IncomingMail, moment: Moment): Promise<Acceptance> => {
  const { now, random, events, passed } = moment;
  const { envelopeSender, notice, month } = mail;
  const received = new Map<string, number>();
  const told: ChangeEvent[] = [];
  const mails: PassedMail[] = [];
  for (const [userId, passages] of passagesByUser(mail)) {
    const taken = await takeMonth(db, { userId, month }, passages, now);
    received.set(userId, taken.received);
    if (!taken.isLeft) return { kind: "limit", received: new Map([[userId, taken.received]]) };
    for (const passage of passages) {
      const recorded = await recordPassage(db, passage, { now, random, month, envelopeSender });
      if (!recorded) return { kind: "changed", received: nothingKnown };
      mails.push(recorded);
      told.push({ userId, resource: "masks", resourceId: passage.route.maskId, action: "updated" });
    }
  }
  if (notice) await enqueue(db, { userId: null, maskId: null, envelopeSender, ...notice }, { now, random });
  for (const event of told) events.set(`${event.userId} ${event.resourceId}`, event);
  passed.push(...mails);
  return { kind: "queued", received };
};

const inSavepoint = async (db: Db, log: Log, work: () => Promise<Acceptance>): Promise<Acceptance> => {
  await sql`savepoint mail`.execute(db);
  const result = await work().catch((error: unknown): Acceptance => {
    log.error({ error: traceOf(error) }, "a mail could not be queued");
    return { kind: "failed", received: nothingKnown };
  });
  if (result.kind !== "queued") await sql`rollback to savepoint mail`.execute(db);
  await sql`release savepoint mail`.execute(db);
  return result;
};

/**
 * Queues mails, each whole or not at all: its queue rows, counters, notifications and events are one with the commit
 * that `submit` waits for (D44). Mails that arrive together share a commit; one that fails does not fail the others.
 * What `countMails` adds to figures is part of that commit.
 */
export const makeAcceptance = (
  database: Database,
  clock: Clock,
  random: Random,
  log: Log,
  countMails: CountMails = countNothing,
): GroupCommit<IncomingMail, Acceptance> =>
  makeGroupCommit(
    (mails: readonly IncomingMail[]) =>
      database.transaction(async (db) => {
        const moment: Moment = { now: clock.now(), random, events: new Map(), passed: [] };
        const results: Acceptance[] = [];
        for (const mail of mails) results.push(await inSavepoint(db, log, () => queueMail(db, mail, moment)));
        await countMails(db, moment.passed, moment.now);
        for (const event of moment.events.values()) await appendEvent(db, event, moment.now);
        return results;
      }),
    {
      items: mailsInACommit,
      weight: bytesInACommit,
      weightOf: ({ passages, notice }) =>
        passages.reduce((sum, passage) => sum + weightOf(passage), notice?.content.length ?? 0),
    },
  );
