import {
  addNotification,
  type NewNotification,
} from "../../../server/features/notifications/notificationQueries.ts";
import type { Database } from "../../../server/platform/store/database.ts";

/** Returns the id of the user with an address. */
export const userIdOf = async ({ db }: Database, email: string): Promise<string> =>
  (await db.selectFrom("users").select("id").where("email", "=", email).executeTakeFirstOrThrow()).id;

/** Stores a notification as a use case would, without an event in this process; returns its public id. */
export const notify = async (
  database: Database,
  userId: string,
  message: string,
  more: Partial<NewNotification> & { readonly now?: number } = {},
): Promise<string> => {
  const { now = Date.now(), ...rest } = more;
  const wanted: NewNotification = { userId, type: "info", priority: "normal", message, ...rest };
  return String(await database.transaction((db) => addNotification(db, wanted, now)));
};
