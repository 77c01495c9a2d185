import { sql } from "kysely";
import { sameHash } from "../../platform/ops/keyedHash.ts";
import type { Db } from "../../platform/store/database.ts";
import { countAttempt, hasNoAttemptsLeft } from "./attempts.ts";
import { codeMailsWithinMs, triesPerCode } from "./codeLimits.ts";

/**
 * Locks a mailbox's sign-in code until the transaction ends, creating an empty row if needed. Returns the times
 * of the code mails sent to the mailbox, in milliseconds.
 */
export const lockLoginCode = async (db: Db, emailKey: string): Promise<readonly number[]> => {
  const { sent_at } = await db
    .insertInto("login_codes")
    .values({ email_key: emailKey, code_hash: "", expires_at: 0, tries: 0, used: 1, sent_at: "[]" })
    .onConflict((conflict) =>
      conflict.column("email_key").doUpdateSet((e) => ({ email_key: e.ref("excluded.email_key") })),
    )
    .returning("sent_at")
    .executeTakeFirstOrThrow();
  return JSON.parse(sent_at) as number[];
};

/** Records that a mail with another kind of code is sent to the mailbox; the sign-in code keeps its expiry. */
export const recordCodeMail = async (
  db: Db,
  emailKey: string,
  sentAt: readonly number[],
  now: number,
): Promise<void> => {
  await db
    .updateTable("login_codes")
    .set((e) => ({
      sent_at: JSON.stringify(sentAt),
      // The row must outlive its mails' rate limit.
      expires_at: e.case().when("expires_at", ">", now).then(e.ref("expires_at")).else(now).end(),
    }))
    .where("email_key", "=", emailKey)
    .execute();
};

export interface NewLoginCode {
  readonly codeHash: string;
  readonly expiresAt: number;
  readonly sentAt: readonly number[];
}

/** Replaces the sign-in code; the previous one no longer works. */
export const replaceLoginCode = async (db: Db, emailKey: string, code: NewLoginCode): Promise<void> => {
  await db
    .updateTable("login_codes")
    .set({
      code_hash: code.codeHash,
      expires_at: code.expiresAt,
      tries: 0,
      used: 0,
      sent_at: JSON.stringify(code.sentAt),
    })
    .where("email_key", "=", emailKey)
    .execute();
};

/**
 * Counts one attempt at the sign-in code and returns whether it is right and unused; "burnt" when a wrong
 * attempt was the last one, "used-up" when none was left, and "none" when there was no code to try.
 */
export const tryLoginCode = async (
  db: Db,
  emailKey: string,
  triedHash: string,
  now: number,
): Promise<"right" | "wrong" | "burnt" | "none" | "used-up"> => {
  const attempt = { where: sql`email_key = ${emailKey} and used = 0`, now, most: triesPerCode };
  const row = await countAttempt<{ readonly code_hash: string; readonly tries: number }>(
    db,
    "login_codes",
    attempt,
  );
  if (!row) return (await hasNoAttemptsLeft(db, "login_codes", attempt)) ? "used-up" : "none";
  if (sameHash(triedHash, row.code_hash)) return "right";
  return Number(row.tries) >= triesPerCode ? "burnt" : "wrong";
};

/** Consumes the code; false when it was already used or replaced. */
export const consumeLoginCode = async (db: Db, emailKey: string, codeHash: string): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable("login_codes")
    .set({ used: 1 })
    .where("email_key", "=", emailKey)
    .where("code_hash", "=", codeHash)
    .where("used", "=", 0)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
};

/** Deletes expired codes; they are kept longer than they are valid, because they count the sent mails. */
export const pruneLoginCodes = async (db: Db, now: number): Promise<void> => {
  await db
    .deleteFrom("login_codes")
    .where("expires_at", "<", now - codeMailsWithinMs)
    .execute();
};

export const insertSignUpTicket = async (
  db: Db,
  ticket: { readonly tokenHash: string; readonly email: string; readonly expiresAt: number },
): Promise<void> => {
  await db
    .insertInto("sign_up_tickets")
    .values({ token_hash: ticket.tokenHash, email: ticket.email, expires_at: ticket.expiresAt })
    .execute();
};

/** Returns the address that a ticket proves; undefined when there is no ticket or it has expired. */
export const findSignUpTicketEmail = async (
  db: Db,
  tokenHash: string,
  now: number,
): Promise<string | undefined> => {
  const row = await db
    .selectFrom("sign_up_tickets")
    .select("email")
    .where("token_hash", "=", tokenHash)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return row?.email;
};

/** Consumes a ticket and returns the address it proves; undefined when there is none or it has expired. */
export const consumeSignUpTicket = async (
  db: Db,
  tokenHash: string,
  now: number,
): Promise<string | undefined> => {
  const row = await db
    .deleteFrom("sign_up_tickets")
    .where("token_hash", "=", tokenHash)
    .where("expires_at", ">", now)
    .returning("email")
    .executeTakeFirst();
  return row?.email;
};

export const pruneSignUpTickets = async (db: Db, now: number): Promise<void> => {
  await db.deleteFrom("sign_up_tickets").where("expires_at", "<=", now).execute();
};
