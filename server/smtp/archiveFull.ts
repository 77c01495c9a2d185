import { dayMs } from "../../core/kernel/durations.ts";
import type { Db } from "../store/database.ts";
import { addNotification, notifiedSince } from "../store/notifications.ts";
import type { Route } from "../store/routes.ts";

const message =
  "Your archive is full, so mail that a rule would keep there is sent to you instead. Delete archived mail to make room.";
const onceInMs = dayMs;

/** Tells the owner, once a day. */
export const archiveIsFull = async (db: Db, { userId }: Route, now: number): Promise<void> => {
  if (await notifiedSince(db, userId, message, now - onceInMs)) return;
  await addNotification(db, { userId, type: "warning", priority: "normal", message }, now);
};
