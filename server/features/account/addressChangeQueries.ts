import { type Selectable, sql } from "kysely";
import { type MailboxKey, mailboxKey } from "../../../core/mail/emailAddress.ts";
import type { Db } from "../../platform/store/database.ts";
import { tryCode } from "../signInCodes/attempts.ts";
import { codeMailsWithinMs, triesPerCode } from "../signInCodes/codeLimits.ts";
import type { AddressChangesTable } from "./accountTables.ts";

export type AddressChangeRow = Selectable<AddressChangesTable>;

/**
 * Locks a user's change of address until the transaction ends, creating an empty row if there is none. Returns the
 * times of the code mails sent for it, in milliseconds.
 */
export const lockAddressChange = async (db: Db, userId: string): Promise<readonly number[]> => {
  const { sent_at } = await db
    .insertInto("address_changes")
    .values({
      user_id: userId,
      email: "",
      email_key: mailboxKey(""),
      code_hash: "",
      expires_at: 0,
      tries: 0,
      sent_at: "[]",
    })
    .onConflict((conflict) =>
      conflict.column("user_id").doUpdateSet((e) => ({ user_id: e.ref("excluded.user_id") })),
    )
    .returning("sent_at")
    .executeTakeFirstOrThrow();
  return JSON.parse(sent_at) as number[];
};

export interface NewAddressChange {
  readonly email: string;
  readonly emailKey: MailboxKey;
  readonly codeHash: string;
  readonly expiresAt: number;
  readonly sentAt: readonly number[];
}

/** Replaces the requested address and its code; the previous code no longer works. */
export const replaceAddressChange = async (
  db: Db,
  userId: string,
  change: NewAddressChange,
): Promise<void> => {
  await db
    .updateTable("address_changes")
    .set({
      email: change.email,
      email_key: change.emailKey,
      code_hash: change.codeHash,
      expires_at: change.expiresAt,
      tries: 0,
      sent_at: JSON.stringify(change.sentAt),
    })
    .where("user_id", "=", userId)
    .execute();
};

/** Counts one attempt at the code and returns the request; undefined for a wrong code. */
export const tryAddressChange = (
  db: Db,
  key: Pick<AddressChangeRow, "user_id" | "email_key">,
  triedHash: string,
  now: number,
): Promise<AddressChangeRow | undefined> => {
  const where = sql`user_id = ${key.user_id} and email_key = ${key.email_key}`;
  return tryCode(db, "address_changes", triedHash, { where, now, most: triesPerCode });
};

/** Consumes the code; false when it was used or replaced. The row stays to count the sent mails. */
export const consumeAddressChange = async (
  db: Db,
  userId: string,
  codeHash: string,
  now: number,
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable("address_changes")
    .set({ email: "", email_key: mailboxKey(""), code_hash: "", expires_at: now })
    .where("user_id", "=", userId)
    .where("code_hash", "=", codeHash)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
};

/** Deletes expired changes; they are kept longer than their codes, because they count the sent mails. */
export const pruneAddressChanges = async (db: Db, now: number): Promise<void> => {
  await db
    .deleteFrom("address_changes")
    .where("expires_at", "<", now - codeMailsWithinMs)
    .execute();
};
