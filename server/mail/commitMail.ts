import { sql } from "kysely";
import { findShareToAnnounce } from "../../core/mail/monthlyShare.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { Random } from "../../core/ports/random.ts";
import { enqueue } from "../delivery/queueQueries.ts";
import {
  claimAnnouncement,
  countBlockedMails,
  endOfMonth,
  type MonthlyUsage,
  takeMonthlyQuota,
} from "../delivery/usageQueries.ts";
import { addNotification } from "../notifications/notificationQueries.ts";
import { errorTrace, type Log } from "../ops/log.ts";
import type { Database, Db } from "../store/database.ts";
import { appendEvent, type NewEvent } from "../store/events.ts";
import { createGroupCommit, type GroupCommit } from "../store/groupCommit.ts";
import { type CommittedMail, type CountMails, type DeliveryPlan, planBytes } from "./deliveryPlan.ts";
import { recordPlan } from "./recordPlan.ts";

const formatDay = (time: number): string =>
  new Intl.DateTimeFormat("en-US", { day: "numeric", month: "long", timeZone: "UTC" }).format(time);

const usageMessage = (share: 80 | 100, received: number, limit: number, now: number): string =>
  share === 100
    ? `All ${limit} emails of this month are used. New mail to your masks is refused until ${formatDay(endOfMonth(now))}.`
    : `80% of this month's emails are used: ${received} of ${limit}.`;

/** Notifies a user once a month at 80% and at 100% of the plan's mails (D34). */
const notifyUsage = async (
  db: Db,
  of: { readonly userId: string; readonly month: string; readonly limit: number },
  usage: MonthlyUsage,
  now: number,
): Promise<void> => {
  const share = findShareToAnnounce(usage.received, of.limit);
  if (share === null || share <= usage.announced) return;
  if (!(await claimAnnouncement(db, { userId: of.userId, month: of.month, share }))) return;
  await addNotification(
    db,
    {
      userId: of.userId,
      type: "warning",
      priority: share === 100 ? "high" : "normal",
      message: usageMessage(share, usage.received, of.limit, now),
    },
    now,
  );
};

/** A received mail with the delivery plan of each of its masks. */
export interface CommitRequest {
  /** Month the mail is counted for. */
  readonly month: string;
  /** Our bounce address, or empty for the null sender. */
  readonly envelopeSender: string;
  /** One plan for each mask. */
  readonly plans: readonly DeliveryPlan[];
  /** Copy for the postmaster, which is not counted for any month. */
  readonly notice: { readonly recipient: string; readonly content: Uint8Array } | null;
}

/** Result of a commit: the mail was queued completely, or nothing of it was stored. */
export interface CommitResult {
  readonly kind: "queued" | "limit" | "changed" | "failed";
  /** Mails of the month that are now known to be used, by user id (a lower bound). */
  readonly received: ReadonlyMap<string, number>;
}

const maxMailsPerCommit = 200;
const maxBytesPerCommit = 64 * 1024 * 1024;

interface CommitContext {
  readonly now: number;
  readonly random: Random;
  /** Change events by key, so that many mails to one mask cause one event. */
  readonly events: Map<string, NewEvent>;
  /** Mails of this commit, for insights. */
  readonly committed: CommittedMail[];
}

const noUsage: ReadonlyMap<string, number> = new Map();

/** Sorts by user id, so that two processes lock the rows in the same order. */
const plansByUser = ({ plans }: CommitRequest): readonly (readonly [string, readonly DeliveryPlan[]])[] => {
  const users = [...new Set(plans.map(({ route }) => route.userId))].sort();
  return users.map((userId) => [userId, plans.filter(({ route }) => route.userId === userId)]);
};

const isBlocked = ({ decision }: DeliveryPlan): boolean => decision.block !== null;
const isForwarded = ({ copies, digest }: DeliveryPlan): boolean => copies.length + digest.length > 0;

/** Counts one user's part of a mail against the monthly limit; blocked mail does not count (D34). */
const countAgainstMonth = async (
  db: Db,
  month: { readonly userId: string; readonly month: string },
  plans: readonly DeliveryPlan[],
  now: number,
): Promise<{ readonly received: number; readonly isWithinLimit: boolean }> => {
  const passing = plans.filter((plan) => !isBlocked(plan));
  const blocked = plans.length - passing.length;
  if (blocked > 0) await countBlockedMails(db, { ...month, count: blocked });
  if (passing.length === 0) return { received: 0, isWithinLimit: true };
  const limit = Math.min(...passing.map(({ route }) => route.emailsPerMonth));
  const forwarded = passing.filter(isForwarded).length;
  const usage = await takeMonthlyQuota(db, { ...month, limit, count: passing.length, forwarded });
  if (!usage) return { received: limit - passing.length + 1, isWithinLimit: false };
  await notifyUsage(db, { ...month, limit }, usage, now);
  return { received: usage.received, isWithinLimit: true };
};

const queueMail = async (db: Db, mail: CommitRequest, context: CommitContext): Promise<CommitResult> => {
  const { now, random, events, committed } = context;
  const { envelopeSender, notice, month } = mail;
  const received = new Map<string, number>();
  const changes: NewEvent[] = [];
  const mails: CommittedMail[] = [];
  for (const [userId, plans] of plansByUser(mail)) {
    const taken = await countAgainstMonth(db, { userId, month }, plans, now);
    received.set(userId, taken.received);
    if (!taken.isWithinLimit) return { kind: "limit", received: new Map([[userId, taken.received]]) };
    for (const plan of plans) {
      const recorded = await recordPlan(db, plan, { now, random, month, envelopeSender });
      if (!recorded) return { kind: "changed", received: noUsage };
      mails.push(recorded);
      changes.push({ userId, resource: "masks", resourceId: plan.route.maskId, action: "updated" });
    }
  }
  if (notice) await enqueue(db, { userId: null, maskId: null, envelopeSender, ...notice }, { now, random });
  for (const event of changes) events.set(`${event.userId} ${event.resourceId}`, event);
  committed.push(...mails);
  return { kind: "queued", received };
};

const inSavepoint = async (db: Db, log: Log, work: () => Promise<CommitResult>): Promise<CommitResult> => {
  await sql`savepoint mail`.execute(db);
  const result = await work().catch((error: unknown): CommitResult => {
    log.error({ error: errorTrace(error) }, "queueing a mail failed");
    return { kind: "failed", received: noUsage };
  });
  if (result.kind !== "queued") await sql`rollback to savepoint mail`.execute(db);
  await sql`release savepoint mail`.execute(db);
  return result;
};

/**
 * Creates the group commit of received mails. Each mail is stored completely or not at all: its queue rows, counters,
 * notifications and events are part of the commit that `submit` waits for (D44). Mails that arrive together share a
 * transaction; a mail that fails does not affect the others. The changes of `countMails` belong to the same
 * transaction.
 */
export const createCommitMail = (
  database: Database,
  clock: Clock,
  random: Random,
  log: Log,
  countMails: CountMails,
): GroupCommit<CommitRequest, CommitResult> =>
  createGroupCommit(
    (mails: readonly CommitRequest[]) =>
      database.transaction(async (db) => {
        const context: CommitContext = { now: clock.now(), random, events: new Map(), committed: [] };
        const results: CommitResult[] = [];
        for (const mail of mails)
          results.push(await inSavepoint(db, log, () => queueMail(db, mail, context)));
        await countMails(db, context.committed, context.now);
        for (const event of context.events.values()) await appendEvent(db, event, context.now);
        return results;
      }),
    {
      items: maxMailsPerCommit,
      weight: maxBytesPerCommit,
      weightOf: ({ plans, notice }) =>
        plans.reduce((sum, plan) => sum + planBytes(plan), notice?.content.length ?? 0),
    },
  );
