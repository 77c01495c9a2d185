import { type Selectable, sql } from "kysely";
import { type MailboxKey, mailboxKey } from "../../../core/mail/emailAddress.ts";
import type { Db } from "../../platform/store/database.ts";
import { rowOfMailbox, storedKeysOf } from "../../platform/store/storedKeys.ts";
import { firstFingerprint, forgetDestinationKeys } from "./destinationKeyQueries.ts";
import type { DestinationsTable } from "./destinationTables.ts";

export type DestinationRow = Selectable<DestinationsTable>;

/** The row of an address that is removed has none: it only counts the confirmation mail of the day. */
const removedEmail = "";

export interface NewDestination {
  readonly id: string;
  readonly userId: string;
  readonly email: string;
  readonly emailKey: MailboxKey;
  readonly confirmedAt: number | null;
  readonly now: number;
}

/** Returns a user's destination for a mailbox, with its domain in either script; undefined when they have none. */
export const findDestination = async (
  db: Db,
  userId: string,
  emailKey: MailboxKey,
): Promise<DestinationRow | undefined> => {
  const rows = await db
    .selectFrom("destinations")
    .selectAll()
    .where("user_id", "=", userId)
    .where("email_key", "in", [...storedKeysOf(emailKey)])
    .execute();
  return rowOfMailbox(rows, emailKey);
};

/** Returns a user's destination for a mailbox, creating it if needed, and locks it until the transaction ends. */
export const ensureDestination = async (db: Db, destination: NewDestination): Promise<DestinationRow> => {
  const isOfOneSpelling = storedKeysOf(destination.emailKey).length === 1;
  const known = isOfOneSpelling
    ? undefined
    : await findDestination(db, destination.userId, destination.emailKey);
  return db
    .insertInto("destinations")
    .values({
      id: destination.id,
      user_id: destination.userId,
      email: destination.email,
      email_key: known?.email_key ?? destination.emailKey,
      confirmed_at: destination.confirmedAt,
      token_hash: null,
      token_expires_at: null,
      asked_at: null,
      created_at: destination.now,
    })
    .onConflict((conflict) =>
      conflict
        .columns(["user_id", "email_key"])
        .doUpdateSet((e) => ({ email_key: e.ref("excluded.email_key") })),
    )
    .returningAll()
    .executeTakeFirstOrThrow();
};

/** Returns the addresses that a user has confirmed (D33). */
export const listConfirmedAddresses = async (db: Db, userId: string): Promise<readonly string[]> => {
  const rows = await db
    .selectFrom("destinations")
    .select("email")
    .where("user_id", "=", userId)
    .where("confirmed_at", "is not", null)
    .execute();
  return rows.map(({ email }) => email);
};

/** Returns a user's destinations, oldest first, each with the number of masks that forward to it. */
export const findDestinations = (db: Db, userId: string) =>
  db
    .selectFrom("destinations")
    .innerJoin("users", "users.id", "destinations.user_id")
    .where("destinations.user_id", "=", userId)
    .where("destinations.email", "!=", removedEmail)
    .orderBy("destinations.created_at")
    .orderBy("destinations.email")
    .select([
      "destinations.id",
      "destinations.email",
      "destinations.confirmed_at",
      "destinations.created_at",
      "destinations.name",
      "destinations.is_default",
      firstFingerprint.as("fingerprint"),
      sql<number>`case when destinations.email_key = users.email_key then 1 else 0 end`.as("is_account"),
      sql<number>`(
        select count(*) from masks
        where masks.user_id = destinations.user_id and masks.deleted_at is null
          and (masks.destination_id = destinations.id or exists (
            select 1 from mask_destinations
            where mask_destinations.mask_id = masks.id and mask_destinations.destination_id = destinations.id
          ))
      )`.as("masks"),
    ])
    .execute();

/** Returns how many of the user's addresses got a confirmation mail after `since`. */
export const countConfirmationRequests = async (db: Db, userId: string, since: number): Promise<number> => {
  const { asked } = await db
    .selectFrom("destinations")
    .select((e) => e.fn.countAll<number>().as("asked"))
    .where("user_id", "=", userId)
    .where("asked_at", ">", since)
    .executeTakeFirstOrThrow();
  return Number(asked);
};

/** Records that a confirmation mail is sent; its link replaces an older one. */
export const recordConfirmationRequest = async (
  db: Db,
  id: string,
  request: { readonly tokenHash: string; readonly tokenExpiresAt: number; readonly now: number },
): Promise<void> => {
  await db
    .updateTable("destinations")
    .set({ token_hash: request.tokenHash, token_expires_at: request.tokenExpiresAt, asked_at: request.now })
    .where("id", "=", id)
    .execute();
};

/** Returns the destination of a confirmation link; undefined when the link is unknown or has expired. */
export const findDestinationByToken = (
  db: Db,
  tokenHash: string,
  now: number,
): Promise<DestinationRow | undefined> =>
  db
    .selectFrom("destinations")
    .selectAll()
    .where("token_hash", "=", tokenHash)
    .where("token_expires_at", ">", now)
    .executeTakeFirst();

/** Marks a destination as confirmed; false when it already was. */
export const confirmDestination = async (db: Db, id: string, now: number): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable("destinations")
    .set({ confirmed_at: now })
    .where("id", "=", id)
    .where("confirmed_at", "is", null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
};

/**
 * Deletes a destination that no mask forwards to. Where a confirmation mail was sent within the day, a row without the
 * address remains, so that addresses can be removed and added no more often than the limit allows.
 */
export const removeDestinationRow = async (
  db: Db,
  { id, user_id: userId, asked_at: askedAt }: DestinationRow,
  since: number,
): Promise<void> => {
  await db
    .deleteFrom("destinations")
    .where("user_id", "=", userId)
    .where("email", "=", removedEmail)
    .where("asked_at", "<=", since)
    .execute();
  if (askedAt === null || askedAt <= since) {
    await db.deleteFrom("destinations").where("id", "=", id).execute();
    return;
  }
  await forgetDestinationKeys(db, id);
  await db
    .updateTable("destinations")
    .set({
      email: removedEmail,
      email_key: mailboxKey(`removed ${id}`),
      name: "",
      confirmed_at: null,
      token_hash: null,
      is_default: 0,
    })
    .where("id", "=", id)
    .execute();
};

/** Returns one of a user's destinations and locks it until the transaction ends; undefined without one. */
export const lockDestination = (db: Db, userId: string, id: string): Promise<DestinationRow | undefined> =>
  db
    .updateTable("destinations")
    .set((e) => ({ id: e.ref("id") }))
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .where("email", "!=", removedEmail)
    .returningAll()
    .executeTakeFirst();

/** Returns the address that new masks of a user forward to; undefined for that of the account. */
export const findDefaultAddress = async (db: Db, userId: string): Promise<string | undefined> => {
  const row = await db
    .selectFrom("destinations")
    .select("email")
    .where("user_id", "=", userId)
    .where("is_default", "=", 1)
    .executeTakeFirst();
  return row?.email;
};
