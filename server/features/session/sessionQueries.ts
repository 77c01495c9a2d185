import type { Selectable } from "kysely";
import type { Db } from "../../platform/store/database.ts";
import type { SessionsTable } from "./sessionTables.ts";

export type SessionRow = Selectable<SessionsTable>;

export interface NewSession {
  readonly id: string;
  readonly userId: string;
  readonly secretHash: string;
  readonly userAgent: string;
  readonly passkeyId: string | null;
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
      passkey_id: session.passkeyId,
      created_at: session.now,
      last_used_at: session.now,
      expires_at: session.expiresAt,
    })
    .execute();
};

/** Returns a session that has not expired; undefined when there is none with that id. */
export const findActiveSession = (db: Db, id: string, now: number): Promise<SessionRow | undefined> =>
  db.selectFrom("sessions").selectAll().where("id", "=", id).where("expires_at", ">", now).executeTakeFirst();

/** Returns a user's active sessions, last used first. */
export const listActiveSessions = (db: Db, userId: string, now: number): Promise<SessionRow[]> =>
  db
    .selectFrom("sessions")
    .selectAll()
    .where("user_id", "=", userId)
    .where("expires_at", ">", now)
    .orderBy("last_used_at", "desc")
    .orderBy("id")
    .execute();

/** Records that a session is in use and, if the request carried this secret, that the browser has it. */
export const recordSessionUse = async (
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

/** Returns the ids of a user's sessions that were opened with a passkey. */
export const listSessionsOfPasskey = async (
  db: Db,
  userId: string,
  passkeyId: string,
): Promise<readonly string[]> => {
  const rows = await db
    .selectFrom("sessions")
    .select("id")
    .where("user_id", "=", userId)
    .where("passkey_id", "=", passkeyId)
    .execute();
  return rows.map(({ id }) => id);
};

export interface SessionRotation {
  /** The hash of the replaced secret: of parallel rotations only one succeeds. */
  readonly from: string;
  readonly to: string;
  /** The hash of the secret in the request, which stays valid for a short time. */
  readonly previous: string;
  readonly now: number;
  readonly expiresAt: number;
}

/** Replaces a session's secret and extends its expiry; false when a parallel request did so first. */
export const rotateSession = async (db: Db, id: string, rotation: SessionRotation): Promise<boolean> => {
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

/** Deletes a session of a user; false when there is none with that id. */
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
