import { findShareToAnnounce } from "../../core/mail/monthlyShare.ts";
import { claimAnnouncement, endOfMonth } from "../delivery/usageQueries.ts";
import { addNotification } from "../notifications/notificationQueries.ts";
import type { Database, Db } from "../store/database.ts";
import type { RowStatement } from "../store/engine.ts";
import type { DeliveryPlan } from "./deliveryPlan.ts";

interface Usage {
  readonly userId: string;
  readonly month: string;
  /** Mails that count against the limit; blocked mail does not (D34). */
  received: number;
  forwarded: number;
  blocked: number;
  limit: number;
}

const addMonths: RowStatement = {
  columns: { user_id: "text", month: "text" },
  text: (rows) =>
    `insert into monthly_usage (user_id, month, received, forwarded, blocked, announced)
     select given.user_id, given.month, 0, 0, 0, 0 from ${rows} join users on users.id = given.user_id where true
     on conflict (user_id, month) do nothing`,
};

const takeMails: RowStatement = {
  columns: {
    user_id: "text",
    month: "text",
    received: "bigint",
    forwarded: "bigint",
    blocked: "bigint",
    most: "bigint",
  },
  text: (rows) =>
    `update monthly_usage set
       received = monthly_usage.received + given.received,
       forwarded = monthly_usage.forwarded + given.forwarded,
       blocked = monthly_usage.blocked + given.blocked
     from ${rows}
     where monthly_usage.user_id = given.user_id and monthly_usage.month = given.month
       and (given.received = 0 or monthly_usage.received + given.received <= given.most)
     returning monthly_usage.user_id as "userId", monthly_usage.received as received,
       monthly_usage.announced as announced`,
};

const formatDay = (time: number): string =>
  new Intl.DateTimeFormat("en-US", { day: "numeric", month: "long", timeZone: "UTC" }).format(time);

const usageMessage = (share: 80 | 100, received: number, limit: number, now: number): string =>
  share === 100
    ? `All ${limit} emails of this month are used. New mail to your masks is refused until ${formatDay(endOfMonth(now))}.`
    : `80% of this month's emails are used: ${received} of ${limit}.`;

/** Notifies a user once a month at 80% and at 100% of the plan's mails (D34). */
const notifyUsage = async (
  db: Db,
  { userId, month, limit }: Usage,
  usage: { readonly received: number; readonly announced: number },
  now: number,
): Promise<void> => {
  const share = findShareToAnnounce(usage.received, limit);
  if (share === null || share <= usage.announced) return;
  if (!(await claimAnnouncement(db, { userId, month, share }))) return;
  const priority = share === 100 ? "high" : "normal";
  const message = usageMessage(share, usage.received, limit, now);
  await addNotification(db, { userId, type: "warning", priority, message }, now);
};

interface CountedMail {
  readonly month: string;
  readonly plans: readonly DeliveryPlan[];
}

/** Sorted by user, so that two processes lock rows in the same order. */
const usageOf = (mails: readonly CountedMail[]): readonly Usage[] => {
  const all = new Map<string, Usage>();
  for (const { month, plans } of mails)
    for (const { route, decision, copies, digest } of plans) {
      const { userId, emailsPerMonth } = route;
      const key = `${userId} ${month}`;
      const initial = { userId, month, received: 0, forwarded: 0, blocked: 0, limit: emailsPerMonth };
      const usage = all.get(key) ?? initial;
      all.set(key, usage);
      usage.limit = Math.min(usage.limit, emailsPerMonth);
      if (decision.block !== null) usage.blocked += 1;
      else {
        usage.received += 1;
        usage.forwarded += copies.length + digest.length > 0 ? 1 : 0;
      }
    }
  return [...all.values()].toSorted((left, right) => (left.userId < right.userId ? -1 : 1));
};

/** Whether mails are within their users' limits, and how many of the month are used (a lower bound). */
export interface QuotaResult {
  readonly isWithinLimits: boolean;
  readonly received: ReadonlyMap<string, number>;
}

/**
 * Takes mails from the months of their users; exact also under parallel transactions (D34). When a limit is
 * exceeded, roll back the transaction.
 */
export const takeQuotas = async (
  { engine }: Pick<Database, "engine">,
  db: Db,
  mails: readonly CountedMail[],
  now: number,
): Promise<QuotaResult> => {
  const usages = usageOf(mails);
  await engine.runRows(
    db,
    addMonths,
    usages.map(({ userId, month }) => [userId, month]),
  );
  const taken = await engine.runRows<{ userId: string; received: number; announced: number }>(
    db,
    takeMails,
    usages.map(({ userId, month, received, forwarded, blocked, limit }) => [
      userId,
      month,
      received,
      forwarded,
      blocked,
      limit,
    ]),
  );
  const received = new Map(taken.map((row) => [row.userId, row.received]));
  const refused = usages.filter(({ userId }) => !received.has(userId));
  if (refused.length > 0)
    return {
      isWithinLimits: false,
      received: new Map(refused.map((usage) => [usage.userId, usage.limit - usage.received + 1])),
    };
  for (const usage of usages) {
    const row = taken.find(({ userId }) => userId === usage.userId);
    if (row && usage.received > 0) await notifyUsage(db, usage, row, now);
  }
  return { isWithinLimits: true, received };
};
