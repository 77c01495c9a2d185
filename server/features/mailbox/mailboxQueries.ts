import type { Db } from "../../platform/store/database.ts";
import type { MailboxMailsTable } from "./mailboxTables.ts";

/** A mailbox in which UIDs have one meaning. */
export interface MailboxOfUids {
  readonly mailbox: string;
  readonly uidValidity: number;
}

export type MailState = MailboxMailsTable["state"];

const ofMailbox = (db: Db, { mailbox, uidValidity }: MailboxOfUids) =>
  db.selectFrom("mailbox_mails").where("mailbox", "=", mailbox).where("uid_validity", "=", uidValidity);

/** Returns what is recorded of the mails with a UID in a range, both ends included. */
export const findRecorded = async (
  db: Db,
  of: MailboxOfUids,
  first: number,
  last: number,
): Promise<ReadonlyMap<number, MailState>> => {
  const rows = await ofMailbox(db, of)
    .where("uid", ">=", first)
    .where("uid", "<=", last)
    .select(["uid", "state"])
    .execute();
  return new Map(rows.map(({ uid, state }) => [Number(uid), state]));
};

/** Records a mail; rejects where it is recorded, unless `again`. */
export const recordMail = async (
  db: Db,
  { mailbox, uidValidity }: MailboxOfUids,
  uid: number,
  state: MailState,
  { now, again }: { readonly now: number; readonly again: boolean },
): Promise<void> => {
  const row = { mailbox, uid_validity: uidValidity, uid, state, recorded_at: now };
  const insert = db.insertInto("mailbox_mails").values(row);
  await (again ? insert.onConflict((conflict) => conflict.doNothing()) : insert).execute();
};

/** Forgets the mails with a UID in a range, both ends included, except a few; there may be any number of them. */
export const forgetMailsExcept = async (
  db: Db,
  { mailbox, uidValidity }: MailboxOfUids,
  first: number,
  last: number,
  kept: readonly number[],
): Promise<void> => {
  const inRange = db
    .deleteFrom("mailbox_mails")
    .where("mailbox", "=", mailbox)
    .where("uid_validity", "=", uidValidity)
    .where("uid", ">=", first)
    .where("uid", "<=", last);
  await (kept.length === 0 ? inRange : inRange.where("uid", "not in", kept)).execute();
};

/** Forgets the mails of a mailbox that were numbered differently. */
export const forgetOtherNumbers = async (db: Db, { mailbox, uidValidity }: MailboxOfUids): Promise<void> => {
  await db
    .deleteFrom("mailbox_mails")
    .where("mailbox", "=", mailbox)
    .where("uid_validity", "!=", uidValidity)
    .execute();
};
