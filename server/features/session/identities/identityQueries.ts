import type { Selectable } from "kysely";
import type { KeyedHash } from "../../../platform/ops/keyedHash.ts";
import type { Db } from "../../../platform/store/database.ts";
import type { IdentitiesTable, SignOnTicketsTable } from "../sessionTables.ts";

export type IdentityRow = Selectable<IdentitiesTable>;
export type SignOnTicketRow = Selectable<SignOnTicketsTable>;

/** The key of an identity at a provider. */
export interface IdentityKey {
  readonly issuer: string;
  readonly subject: string;
}

export const findIdentity = (db: Db, { issuer, subject }: IdentityKey): Promise<IdentityRow | undefined> =>
  db
    .selectFrom("identities")
    .selectAll()
    .where("issuer", "=", issuer)
    .where("subject", "=", subject)
    .executeTakeFirst();

export const listUserIdentities = (db: Db, userId: string): Promise<IdentityRow[]> =>
  db
    .selectFrom("identities")
    .selectAll()
    .where("user_id", "=", userId)
    .orderBy("created_at")
    .orderBy("id")
    .execute();

/** Connects an identity with a user; false when it is connected already. */
export const insertIdentity = async (db: Db, row: IdentityRow): Promise<boolean> => {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("identities")
    .values(row)
    .onConflict((conflict) => conflict.columns(["issuer", "subject"]).doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
};

/** Records that an identity signs in, and the address that the provider names. */
export const recordIdentityUse = async (
  db: Db,
  id: string,
  { now, email }: { readonly now: number; readonly email: string | null },
): Promise<void> => {
  await db
    .updateTable("identities")
    .set({ last_used_at: now, ...(email === null ? {} : { email }) })
    .where("id", "=", id)
    .execute();
};

/** Disconnects an identity of a user and returns it; undefined when there is none with that id. */
export const deleteIdentity = (db: Db, userId: string, id: string): Promise<IdentityRow | undefined> =>
  db
    .deleteFrom("identities")
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .returningAll()
    .executeTakeFirst();

/** Records which identity a session was begun with. */
export const insertIdentitySession = async (
  db: Db,
  sessionId: string,
  { issuer, subject, sid }: IdentityKey & { readonly sid: string | null },
): Promise<void> => {
  await db
    .insertInto("identity_sessions")
    .values({ session_id: sessionId, issuer, subject, sid })
    .onConflict((conflict) => conflict.column("session_id").doNothing())
    .execute();
};

/** A session that an identity began, and its user. */
export interface BegunSession {
  readonly sessionId: string;
  readonly userId: string;
}

/** The sessions that a provider or a user ends: all of a subject, one session of the provider, or what both name. */
export interface SessionsOfIdentity {
  readonly issuer: string;
  readonly subject: string | null;
  readonly sid: string | null;
}

export const listIdentitySessions = (
  db: Db,
  { issuer, subject, sid }: SessionsOfIdentity,
): Promise<readonly BegunSession[]> => {
  const begun = db
    .selectFrom("identity_sessions as begun")
    .innerJoin("sessions", "sessions.id", "begun.session_id")
    .select(["sessions.id as sessionId", "sessions.user_id as userId"])
    .where("begun.issuer", "=", issuer);
  const ofSubject = subject === null ? begun : begun.where("begun.subject", "=", subject);
  return (sid === null ? ofSubject : ofSubject.where("begun.sid", "=", sid)).execute();
};

export const insertSignOnTicket = async (db: Db, ticket: SignOnTicketRow): Promise<void> => {
  await db.insertInto("sign_on_tickets").values(ticket).execute();
};

/** Consumes a ticket; undefined when it is unknown, used or expired. */
export const consumeSignOnTicket = (
  db: Db,
  tokenHash: string,
  now: number,
): Promise<SignOnTicketRow | undefined> =>
  db
    .deleteFrom("sign_on_tickets")
    .where("token_hash", "=", tokenHash)
    .where("expires_at", ">", now)
    .returningAll()
    .executeTakeFirst();

/** Deletes the tickets of sign-ins that the provider has ended meanwhile. */
export const deleteSignOnTickets = async (
  db: Db,
  { issuer, subject, sid }: SessionsOfIdentity,
): Promise<void> => {
  const all = db.deleteFrom("sign_on_tickets").where("issuer", "=", issuer);
  const ofSubject = subject === null ? all : all.where("subject", "=", subject);
  await (sid === null ? ofSubject : ofSubject.where("sid", "=", sid)).execute();
};

/** Records a logout token as used; false when it was used before. */
export const useLogoutToken = async (db: Db, tokenHash: string, expiresAt: number): Promise<boolean> => {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("used_logout_tokens")
    .values({ token_hash: tokenHash, expires_at: expiresAt })
    .onConflict((conflict) => conflict.column("token_hash").doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
};

/** Returns the key of what a logout has ended, in the words of its token: a subject, a session of the provider, or both. */
const endKeyOf = (hash: KeyedHash, { issuer, subject, sid }: SessionsOfIdentity): string =>
  hash("logout-token", "ended", issuer, subject ?? "", sid ?? "");

/** Records that the provider ended something, for sign-ins that are under way until `until`. */
export const recordIdentityEnd = async (
  db: Db,
  {
    ended,
    hash,
    until,
  }: { readonly ended: SessionsOfIdentity; readonly hash: KeyedHash; readonly until: number },
): Promise<void> => {
  await db
    .insertInto("used_logout_tokens")
    .values({ token_hash: endKeyOf(hash, ended), expires_at: until })
    .onConflict((conflict) => conflict.column("token_hash").doUpdateSet({ expires_at: until }))
    .execute();
};

/** Returns whether the provider has ended a sign-in that is under way until `until`, since it began. */
export const wasEnded = async (
  db: Db,
  {
    begun,
    hash,
    until,
  }: {
    readonly begun: IdentityKey & { readonly sid: string | null };
    readonly hash: KeyedHash;
    readonly until: number;
  },
): Promise<boolean> => {
  const { sid } = begun;
  const keys = [
    endKeyOf(hash, { ...begun, sid: null }),
    ...(sid === null ? [] : [endKeyOf(hash, begun), endKeyOf(hash, { ...begun, subject: null })]),
  ];
  const row = await db
    .selectFrom("used_logout_tokens")
    .select("token_hash")
    .where("token_hash", "in", keys)
    .where("expires_at", ">=", until)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
};

export const pruneSignOn = async (db: Db, now: number): Promise<void> => {
  await db.deleteFrom("sign_on_tickets").where("expires_at", "<=", now).execute();
  await db.deleteFrom("used_logout_tokens").where("expires_at", "<=", now).execute();
};
