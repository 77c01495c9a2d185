import { dayOf } from "../../../core/kernel/calendarDay.ts";
import { claimAnnouncement, endOfMonth } from "../../delivery/usageQueries.ts";
import { registrableDomain } from "../../platform/dns/registrableDomain.ts";
import type { Database, Db } from "../../platform/store/database.ts";
import type { ReachedShare } from "../../relay/limits/monthlyQuota.ts";
import { addNotification } from "../notifications/notificationQueries.ts";
import { readTotals } from "./countQueries.ts";
import { countNewMailsWithin } from "./newMails.ts";

const formatList = (items: readonly string[]): string =>
  new Intl.ListFormat("en-US", { type: "conjunction" }).format(items);

const formatDay = (time: number): string =>
  new Intl.DateTimeFormat("en-US", { day: "numeric", month: "long", timeZone: "UTC" }).format(time);

const usageMessage = ({ share, received, limit }: ReachedShare, senders: string, now: number): string =>
  share === 100
    ? `All ${limit} emails of this month are used. New mail to your masks is refused until ${formatDay(endOfMonth(now))}.${senders}`
    : `${share}% of this month's emails are used: ${received} of ${limit}.`;

const namedSenders = 3;

/** Says who has sent most of the month's mail, as far as the plan's history goes back; empty when nobody is known. */
const describeSenders = async (db: Db, { userId, month, historyMs }: ReachedShare, now: number) => {
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

/** Notifies a user once a month of each share that is announced of the plan's mails (D34), after its mails were recorded. */
export const announceUsage = async (
  database: Pick<Database, "engine">,
  db: Db,
  reached: ReachedShare,
  now: number,
): Promise<void> => {
  const { userId, share } = reached;
  if (!(await claimAnnouncement(db, reached))) return;
  const priority = share === 100 ? "high" : "normal";
  if (share === 100) await countNewMailsWithin(database, db);
  const senders = share === 100 ? await describeSenders(db, reached, now) : "";
  const message = usageMessage(reached, senders, now);
  await addNotification(db, { userId, type: "warning", priority, message }, now);
};
