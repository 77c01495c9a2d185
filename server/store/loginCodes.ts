import type { Db } from "./database.ts";

/**
 * Takes the lock on a mailbox's code, making an empty one for a mailbox that has none, and answers when code mails
 * went out to it. Others who want the same mailbox wait until the transaction ends.
 */
export const lockCode = async (db: Db, emailKey: string): Promise<readonly number[]> => {
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

/** Notes that another mail with a code of some kind goes out to the mailbox; its sign-in code lives as long as it did. */
export const noteCodeMail = async (
  db: Db,
  emailKey: string,
  sentAt: readonly number[],
  now: number,
): Promise<void> => {
  await db
    .updateTable("login_codes")
    .set((e) => ({
      sent_at: JSON.stringify(sentAt),
      // The row is kept from here on for as long as its mails count.
      expires_at: e.case().when("expires_at", ">", now).then(e.ref("expires_at")).else(now).end(),
    }))
    .where("email_key", "=", emailKey)
    .execute();
};

export interface NewCode {
  readonly codeHash: string;
  readonly expiresAt: number;
  readonly sentAt: readonly number[];
}

/** Puts a new code in the place of the older one, which is dead from now on. */
export const replaceCode = async (db: Db, emailKey: string, code: NewCode): Promise<void> => {
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
 * Counts one try and answers the hash to compare with; undefined when there is no code, it is used or too old, or
 * `mostTries` have been made. Counting comes first, so parallel tries cannot be more than that.
 */
export const countTry = async (
  db: Db,
  emailKey: string,
  now: number,
  mostTries: number,
): Promise<string | undefined> => {
  const row = await db
    .updateTable("login_codes")
    .set((e) => ({ tries: e("tries", "+", 1) }))
    .where("email_key", "=", emailKey)
    .where("used", "=", 0)
    .where("expires_at", ">", now)
    .where("tries", "<", mostTries)
    .returning("code_hash")
    .executeTakeFirst();
  return row?.code_hash;
};

/** Uses the code up; false when somebody else has, or a newer one has taken its place. */
export const consumeCode = async (db: Db, emailKey: string, codeHash: string): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable("login_codes")
    .set({ used: 1 })
    .where("email_key", "=", emailKey)
    .where("code_hash", "=", codeHash)
    .where("used", "=", 0)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
};

/** Forgets the codes that were dead before `deadline`. */
export const pruneCodes = async (db: Db, deadline: number): Promise<void> => {
  await db.deleteFrom("login_codes").where("expires_at", "<", deadline).execute();
};
