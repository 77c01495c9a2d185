import { shareToAnnounce } from "../../core/relay/monthlyShare.ts";
import type { Db } from "../store/database.ts";
import { addNotification } from "../store/notifications.ts";
import { claimAnnouncement, endOfMonth, type MonthlyUsage } from "../store/usage.ts";

const dayOf = (time: number): string =>
  new Intl.DateTimeFormat("en-US", { day: "numeric", month: "long", timeZone: "UTC" }).format(time);

const sentence = (share: 80 | 100, received: number, limit: number, now: number): string =>
  share === 100
    ? `All ${limit} emails of this month are used. New mail to your masks is refused until ${dayOf(endOfMonth(now))}.`
    : `80% of this month's emails are used: ${received} of ${limit}.`;

/** Tells a user once a month that 80 % and that all of the plan's mail is used (D34). */
export const announceUsage = async (
  db: Db,
  of: { readonly userId: string; readonly month: string; readonly limit: number },
  usage: MonthlyUsage,
  now: number,
): Promise<void> => {
  const share = shareToAnnounce(usage.received, of.limit);
  if (share === null || share <= usage.announced) return;
  if (!(await claimAnnouncement(db, { userId: of.userId, month: of.month, share }))) return;
  await addNotification(
    db,
    {
      userId: of.userId,
      type: "warning",
      priority: share === 100 ? "high" : "normal",
      message: sentence(share, usage.received, of.limit, now),
    },
    now,
  );
};
