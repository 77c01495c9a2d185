import type { Db } from "./database.ts";
import { appendEvent } from "./events.ts";

/** A sentence for the owner's list of notifications (NO1); high and urgent ones show as a toast besides. */
export interface NewNotification {
  readonly userId: string;
  readonly type: "info" | "warning" | "error";
  readonly priority: "normal" | "high" | "urgent";
  readonly message: string;
}

/** Records a notification and its event in the transaction of its cause; answers its id. */
export const addNotification = async (
  db: Db,
  notification: NewNotification,
  now: number,
): Promise<number> => {
  const { id } = await db
    .insertInto("notifications")
    .values({
      user_id: notification.userId,
      type: notification.type,
      priority: notification.priority,
      message: notification.message,
      created_at: now,
      read_at: null,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await appendEvent(
    db,
    { userId: notification.userId, resource: "notifications", resourceId: String(id), action: "created" },
    now,
  );
  return id;
};
