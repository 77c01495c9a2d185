import type { Selectable } from "kysely";
import { hourMs } from "../../../core/kernel/durations.ts";
import type { Db } from "../../platform/store/database.ts";
import type { AppPasswordsTable } from "./appPasswordTables.ts";

type AppPasswordRow = Selectable<AppPasswordsTable>;

/** Returns a user's app passwords, newest first. */
export const listAppPasswordRows = (db: Db, userId: string): Promise<AppPasswordRow[]> =>
  db
    .selectFrom("app_passwords")
    .selectAll()
    .where("user_id", "=", userId)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .execute();

/** Deletes one of a user's app passwords; false when there is none. */
export const deleteAppPasswordRow = async (db: Db, userId: string, id: string): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom("app_passwords")
    .where("user_id", "=", userId)
    .where("id", "=", id)
    .executeTakeFirst();
  return numDeletedRows === 1n;
};

/** An app password with its user. */
export interface FoundPassword {
  readonly id: string;
  readonly userId: string;
  /** The address of the user's account. */
  readonly email: string;
  readonly hash: string;
  readonly lastUsedAt: number | null;
}

/** Finds the app password that begins with `lookup`, of a user who is not suspended. */
export const findAppPassword = (db: Db, lookup: string): Promise<FoundPassword | undefined> =>
  db
    .selectFrom("app_passwords")
    .innerJoin("users", "users.id", "app_passwords.user_id")
    .where("app_passwords.lookup", "=", lookup)
    .where("users.suspended", "=", 0)
    .select([
      "app_passwords.id",
      "users.id as userId",
      "users.email",
      "app_passwords.hash",
      "app_passwords.last_used_at as lastUsedAt",
    ])
    .executeTakeFirst();

/** True if an app password still exists and its user is not suspended. */
export const isAppPasswordValid = async (db: Db, id: string): Promise<boolean> =>
  (await db
    .selectFrom("app_passwords")
    .innerJoin("users", "users.id", "app_passwords.user_id")
    .where("app_passwords.id", "=", id)
    .where("users.suspended", "=", 0)
    .select("app_passwords.id")
    .executeTakeFirst()) !== undefined;

/** Records a use, to within an hour. */
export const recordUse = async (db: Db, { id, lastUsedAt }: FoundPassword, now: number): Promise<void> => {
  if (lastUsedAt !== null && now - Number(lastUsedAt) < hourMs) return;
  await db.updateTable("app_passwords").set({ last_used_at: now }).where("id", "=", id).execute();
};
