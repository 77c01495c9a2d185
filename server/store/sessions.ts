import type { Selectable } from "kysely";
import type { Db } from "./database.ts";
import type { SessionsTable } from "./tables.ts";

export type SessionRow = Selectable<SessionsTable>;

export const insertSession = async (db: Db, session: SessionRow): Promise<void> => {
  await db.insertInto("sessions").values(session).execute();
};

/** A session that has not ended; undefined when there is none of that id. */
export const liveSession = (db: Db, id: string, now: number): Promise<SessionRow | undefined> =>
  db.selectFrom("sessions").selectAll().where("id", "=", id).where("expires_at", ">", now).executeTakeFirst();

/** Notes that a session is in use. */
export const touchSession = async (db: Db, id: string, now: number): Promise<void> => {
  await db.updateTable("sessions").set({ last_used_at: now }).where("id", "=", id).execute();
};

/** Moves a session's end; false when it has ended meanwhile. */
export const extendSession = async (
  db: Db,
  id: string,
  to: { readonly now: number; readonly expiresAt: number },
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable("sessions")
    .set({ expires_at: to.expiresAt, last_used_at: to.now })
    .where("id", "=", id)
    .where("expires_at", ">", to.now)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
};

/** Ends a session; false when it was not there any more. */
export const deleteSession = async (db: Db, id: string): Promise<boolean> => {
  const { numDeletedRows } = await db.deleteFrom("sessions").where("id", "=", id).executeTakeFirst();
  return numDeletedRows === 1n;
};

export const pruneSessions = async (db: Db, now: number): Promise<void> => {
  await db.deleteFrom("sessions").where("expires_at", "<=", now).execute();
};
