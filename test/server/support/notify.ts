import { addNotification, type NewNotification } from "../../../server/notifications/notificationQueries.ts";
import type { Database } from "../../../server/store/database.ts";

/** The id of a user by their address. */
export const userIdOf = async ({ db }: Database, email: string): Promise<string> =>
  (await db.selectFrom("users").select("id").where("email", "=", email).executeTakeFirstOrThrow()).id;

/** Writes a notification as a use case would, without telling this process; answers its id as clients know it. */
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
