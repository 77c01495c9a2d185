import { dayOf } from "../../../core/kernel/calendarDay.ts";
import { findShareToAnnounce } from "../../../core/mail/monthlyShare.ts";
import { claimAnnouncement, endOfMonth } from "../../delivery/usageQueries.ts";
import { readTotals } from "../../features/insights/countQueries.ts";
import { countNewMailsWithin } from "../../features/insights/newMails.ts";
import { addNotification } from "../../features/notifications/notificationQueries.ts";
import { registrableDomain } from "../../platform/dns/registrableDomain.ts";
import type { Database, Db } from "../../platform/store/database.ts";
import type { RowStatement } from "../../platform/store/engine.ts";
import type { MailDecision } from "../decision/mailDecision.ts";

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

const formatList = (items: readonly string[]): string =>
  new Intl.ListFormat("en-US", { type: "conjunction" }).format(items);

const formatDay = (time: number): string =>
  new Intl.DateTimeFormat("en-US", { day: "numeric", month: "long", timeZone: "UTC" }).format(time);

/** A share of a month that a user has reached, in percent. */
interface Announcement {
  readonly userId: string;
  readonly month: string;
  readonly limit: number;
  readonly historyMs: number | null;
  readonly received: number;
  readonly share: 80 | 100;
}

const usageMessage = ({ share, received, limit }: Announcement, senders: string, now: number): string =>
  share === 100
    ? `All ${limit} emails of this month are used. New mail to your masks is refused until ${formatDay(endOfMonth(now))}.${senders}`
    : `80% of this month's emails are used: ${received} of ${limit}.`;

const namedSenders = 3;

/** Says who has sent most of the month's mail, as far as the plan's history goes back; empty when nobody is known. */
const describeSenders = async (db: Db, { userId, month, historyMs }: Announcement, now: number) => {
  const history = historyMs === null ? "" : dayOf(now - historyMs);
  const day = history > `${month}-01` ? history : `${month}-01`;
  const counts = await readTotals(db, { userId, maskId: null }, ["sender"], { day, month });
  const domains = Map.groupBy(counts, ({ key }) => registrableDomain(key));
  const top = [...domains]
    .map(([domain, rows]) => ({ domain, mails: rows.reduce((sum, { n }) => sum + n, 0) }))
    .toSorted((one, other) => other.mails - one.mails || (one.domain < other.domain ? -1 : 1))
    .slice(0, namedSenders)
    .map(({ domain, mails }) => `${domain} (${mails})`);
  return top.length === 0 ? "" : ` Since ${formatDay(Date.parse(day))} most came from ${formatList(top)}.`;
};

/** Notifies a user once a month at 80% and at 100% of the plan's mails (D34), after its mails were recorded. */
export const announceUsage = async (
  database: Pick<Database, "engine">,
  db: Db,
  announcement: Announcement,
  now: number,
): Promise<void> => {
  const { userId, share } = announcement;
  if (!(await claimAnnouncement(db, announcement))) return;
  const priority = share === 100 ? "high" : "normal";
  if (share === 100) await countNewMailsWithin(database, db);
  const senders = share === 100 ? await describeSenders(db, announcement, now) : "";
  const message = usageMessage(announcement, senders, now);
  await addNotification(db, { userId, type: "warning", priority, message }, now);
};

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

/** Whether mails are within their users' limits, and how many of the month are used (a lower bound). */
export interface QuotaResult {
  readonly isWithinLimits: boolean;
  readonly received: ReadonlyMap<string, number>;
  /** For `announceUsage`. */
  readonly announcements: readonly Announcement[];
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
      announcements: [],
    };
  const announcements = usages.flatMap((usage): Announcement[] => {
    const row = taken.find(({ userId }) => userId === usage.userId);
    const share = row && usage.received > 0 ? findShareToAnnounce(row.received, usage.limit) : null;
    if (!row || share === null || share <= row.announced) return [];
    const { userId, month, limit, historyMs } = usage;
    return [{ userId, month, limit, historyMs, received: row.received, share }];
  });
  return { isWithinLimits: true, received, announcements };
};
