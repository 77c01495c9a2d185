import type { Database, Db } from "../../platform/store/database.ts";
import type { RowStatement } from "../../platform/store/engine.ts";
import type { MailDecision } from "../decision/mailDecision.ts";

/** The percentages of the monthly limit at which the owner is notified (D34). */
type AnnouncedShare = 80 | 100;

/** Returns the percentage to announce when `received` of `limit` mails have arrived this month; null below 80 %. */
export const findShareToAnnounce = (received: number, limit: number): AnnouncedShare | null => {
  if (received >= limit) return 100;
  return received * 100 >= limit * 80 ? 80 : null;
};

interface Usage {
  readonly userId: string;
  readonly month: string;
  /** Mails that count against the limit; blocked mail does not (D34). */
  received: number;
  forwarded: number;
  blocked: number;
  limit: number;
  readonly historyMs: number | null;
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

/** A share of a month that a user has reached, in percent. */
export interface ReachedShare {
  readonly userId: string;
  readonly month: string;
  readonly limit: number;
  readonly historyMs: number | null;
  readonly received: number;
  readonly share: 80 | 100;
}

interface CountedMail {
  readonly month: string;
  readonly decisions: readonly MailDecision[];
}

/** Sorted by user, so that two processes lock rows in the same order. */
const usageOf = (mails: readonly CountedMail[]): readonly Usage[] => {
  const all = new Map<string, Usage>();
  for (const { month, decisions } of mails)
    for (const { route, decision, copies, digest } of decisions) {
      const { userId, emailsPerMonth, historyMs } = route;
      const key = `${userId} ${month}`;
      const initial = {
        userId,
        month,
        received: 0,
        forwarded: 0,
        blocked: 0,
        limit: emailsPerMonth,
        historyMs,
      };
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

/**
 * The result of the check whether mails are within their users' limits, and the number of the month's that are used (a lower
 * bound).
 */
export interface QuotaResult {
  readonly isWithinLimits: boolean;
  readonly received: ReadonlyMap<string, number>;
  /** For the notifications of owners. */
  readonly reached: readonly ReachedShare[];
}

/**
 * Takes mails from the months of their users; exact also under parallel transactions (D34). When a limit is
 * exceeded, roll back the transaction.
 */
export const takeQuotas = async (
  { engine }: Pick<Database, "engine">,
  db: Db,
  mails: readonly CountedMail[],
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
      reached: [],
    };
  const reached = usages.flatMap((usage): ReachedShare[] => {
    const row = taken.find(({ userId }) => userId === usage.userId);
    const share = row && usage.received > 0 ? findShareToAnnounce(row.received, usage.limit) : null;
    if (!row || share === null || share <= row.announced) return [];
    const { userId, month, limit, historyMs } = usage;
    return [{ userId, month, limit, historyMs, received: row.received, share }];
  });
  return { isWithinLimits: true, received, reached };
};
