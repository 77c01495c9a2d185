import type { Db } from "../store/database.ts";
import { lockUser, type UserRow, userById } from "../store/users.ts";
import { invalidSession } from "./authenticate.ts";

/** The user of a session. Rejects with the 401 of a session that is over when there is none any more. */
export const knownUser = async (db: Db, userId: string): Promise<UserRow> => {
  const user = await userById(db, userId);
  if (!user) throw invalidSession();
  return user;
};

/** The same inside a transaction, in which nobody else changes the user from now on. */
export const lockedUser = async (db: Db, userId: string): Promise<UserRow> => {
  await lockUser(db, userId);
  return knownUser(db, userId);
};
