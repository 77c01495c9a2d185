import type { Selectable } from "kysely";
import type { SessionsTable } from "./accountTables.ts";
import type { Db } from "./database.ts";

export type SessionRow = Selectable<SessionsTable>;

export interface NewSession {
  readonly id: string;
  readonly userId: string;
  readonly secretHash: string;
  readonly userAgent: string;
  readonly now: number;
  readonly expiresAt: number;
}

export const insertSession = async (db: Db, session: NewSession): Promise<void> => {
  await db
    .insertInto("sessions")
    .values({
      id: session.id,
      user_id: session.userId,
      secret_hash: session.secretHash,
      previous_hash: null,
      rotated_at: null,
      secret_seen: 1,
      user_agent: session.userAgent,
      created_at: session.now,
      last_used_at: session.now,
      expires_at: session.expiresAt,
    })
    .execute();
};

/** A session that has not ended; undefined when there is none of that id. */
export const liveSession = (db: Db, id: string, now: number): Promise<SessionRow | undefined> =>
  db.selectFrom("sessions").selectAll().where("id", "=", id).where("expires_at", ">", now).executeTakeFirst();

/** A user's sessions that have not ended, the one used last first. */
export const liveSessionsOf = (db: Db, userId: string, now: number): Promise<SessionRow[]> =>
  db
    .selectFrom("sessions")
    .selectAll()
    .where("user_id", "=", userId)
    .where("expires_at", ">", now)
    .orderBy("last_used_at", "desc")
    .orderBy("id")
    .execute();

/** Notes that a session is in use and, if it was this secret that came, that the browser has it. */
export const noteUse = async (
  db: Db,
  id: string,
  use: { readonly now: number; readonly secretHash: string },
): Promise<void> => {
  await db
    .updateTable("sessions")
    .set((e) => ({
      last_used_at: use.now,
      secret_seen: e.case().when("secret_hash", "=", use.secretHash).then(1).else(e.ref("secret_seen")).end(),
    }))
    .where("id", "=", id)
    .execute();
};

export interface Rotation {
  /** The secret's hash when the decision was made: of many that rotate at once, one does. */
  readonly from: string;
  readonly to: string;
  /** What stays good beside the new one: the secret that was shown. */
  readonly previous: string;
  readonly now: number;
  readonly expiresAt: number;
}

/** Puts a new secret in the place of the old one and moves the session's end; false when another was faster. */
export const rotateSession = async (db: Db, id: string, rotation: Rotation): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable("sessions")
    .set({
      secret_hash: rotation.to,
      previous_hash: rotation.previous,
      rotated_at: rotation.now,
      secret_seen: 0,
      last_used_at: rotation.now,
      expires_at: rotation.expiresAt,
    })
    .where("id", "=", id)
    .where("secret_hash", "=", rotation.from)
    .where("expires_at", ">", rotation.now)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
};

/** Ends a session of a user; false when there was none of that id. */
export const deleteSession = async (db: Db, userId: string, id: string): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom("sessions")
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return numDeletedRows === 1n;
};

export const pruneSessions = async (db: Db, now: number): Promise<void> => {
  await db.deleteFrom("sessions").where("expires_at", "<=", now).execute();
};
