import { dayMs } from "../../../core/kernel/durations.ts";
import type { Clock } from "../../../core/ports/clock.ts";
import { createRecentKeys } from "../../platform/rates/recentKeys.ts";
import type { Database } from "../../platform/store/database.ts";
import { tooMuchWaits } from "../../relay/decision/refusals.ts";
import type { MailRoute } from "../../relay/mailRoute.ts";
import type { SmtpReply } from "../../smtp/smtpReplies.ts";
import { notifyOnce } from "./notificationQueries.ts";

/** One notification per account in this time. */
const intervalMs = dayMs;
/** The accounts that are remembered as notified; of others the store knows. */
export const maxNotified = 10_000;

export const noRoomMessages = {
  kept: "There is no room for more mail to be held or collected for you, so such mail is refused for now, and senders retry later. Release or delete held and archived mail to make room.",
  waits:
    "Too much mail waits for you and for the servers of your addresses, so new mail is refused for now, and senders retry later. Release or delete held and archived mail to make room.",
};

/** Notifies the owner of a mask that its mail was refused, with this reply, because too much is kept already. */
export type NoticeNoRoom = (route: Pick<MailRoute, "userId">, reply: SmtpReply) => Promise<void>;

export interface NoticeNoRoomDeps {
  readonly database: Pick<Database, "transaction">;
  readonly clock: Pick<Clock, "now">;
  /** Called after a notification was stored. */
  readonly onNotified: () => void;
}

/** Creates the function that notifies each owner at most once a day, however much is refused. */
export const createNoticeNoRoom = ({ database, clock, onNotified }: NoticeNoRoomDeps): NoticeNoRoom => {
  const notified = createRecentKeys<number>(maxNotified);
  return async ({ userId }, reply) => {
    const now = clock.now();
    const message = reply === tooMuchWaits ? noRoomMessages.waits : noRoomMessages.kept;
    const key = `${userId} ${message}`;
    if ((notified.find(key) ?? Number.NEGATIVE_INFINITY) > now - intervalMs) return;
    notified.set(key, now);
    const notification = { userId, type: "warning", priority: "high", message } as const;
    const isNew = await database.transaction((db) => notifyOnce(db, notification, intervalMs, now));
    if (isNew) onNotified();
  };
};
