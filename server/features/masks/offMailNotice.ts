import { dayMs } from "../../../core/kernel/durations.ts";
import type { WhenOff } from "../../../core/masks/mask.ts";
import type { Clock } from "../../../core/ports/clock.ts";
import type { Database } from "../../platform/store/database.ts";
import type { MailRoute } from "../../relay/mailRoute.ts";
import { notifyOnce } from "../notifications/notificationQueries.ts";

/** One notification per mask in this time. */
const intervalMs = dayMs;
/** The masks that are remembered as notified; of others the store knows. */
const maxRemembered = 10_000;

const ends: Readonly<Record<Exclude<WhenOff, "hold">, string>> = {
  refuse: "It was refused.",
  drop: "It was dropped.",
};

/** Notifies the owner of a mask that is off of mail to it. */
export type NoticeOffMail = (route: MailRoute) => Promise<void>;

/**
 * Creates the function that notifies owners who want it, once a day for each mask, that mail came while a mask was
 * off. Held mail has a notification of its own.
 */
export const createNoticeOffMail = ({
  database,
  clock,
}: {
  readonly database: Pick<Database, "transaction">;
  readonly clock: Pick<Clock, "now">;
}): NoticeOffMail => {
  const notified = new Map<string, number>();
  return async ({ maskId, maskEmail, userId, whenOff, notifyWhenOff }) => {
    if (!notifyWhenOff || whenOff === "hold") return;
    const now = clock.now();
    if ((notified.get(maskId) ?? Number.NEGATIVE_INFINITY) > now - intervalMs) return;
    notified.delete(maskId);
    notified.set(maskId, now);
    const oldest = notified.size > maxRemembered ? notified.keys().next().value : undefined;
    if (oldest !== undefined) notified.delete(oldest);
    const message = `Mail came to ${maskEmail} while it was switched off. ${ends[whenOff]}`;
    const notification = { userId, type: "info", priority: "normal", message } as const;
    await database.transaction((db) => notifyOnce(db, notification, intervalMs, now));
  };
};
