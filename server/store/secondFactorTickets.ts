import type { Db } from "./database.ts";

export const insertFactorTicket = async (
  db: Db,
  ticket: { readonly tokenHash: string; readonly userId: string; readonly expiresAt: number },
): Promise<void> => {
  await db
    .insertInto("second_factor_tickets")
    .values({ token_hash: ticket.tokenHash, user_id: ticket.userId, expires_at: ticket.expiresAt, tries: 0 })
    .execute();
};

/**
 * Counts one try and answers whose ticket it is; undefined when there is none, it is too old, or `mostTries` have been
 * made. Counting comes first, so parallel tries cannot be more than that.
 */
export const countTicketTry = async (
  db: Db,
  tokenHash: string,
  now: number,
  mostTries: number,
): Promise<string | undefined> => {
  const row = await db
    .updateTable("second_factor_tickets")
    .set((e) => ({ tries: e("tries", "+", 1) }))
    .where("token_hash", "=", tokenHash)
    .where("expires_at", ">", now)
    .where("tries", "<", mostTries)
    .returning("user_id")
    .executeTakeFirst();
  return row?.user_id;
};

/** Uses a ticket up; false when somebody else has. */
export const takeFactorTicket = async (db: Db, tokenHash: string): Promise<boolean> => {
  const { numDeletedRows } = await db
    .deleteFrom("second_factor_tickets")
    .where("token_hash", "=", tokenHash)
    .executeTakeFirst();
  return numDeletedRows === 1n;
};

/** Makes the tickets of a user worthless: what they proved is so no longer. */
export const dropFactorTickets = async (db: Db, userId: string): Promise<void> => {
  await db.deleteFrom("second_factor_tickets").where("user_id", "=", userId).execute();
};

export const pruneFactorTickets = async (db: Db, now: number): Promise<void> => {
  await db.deleteFrom("second_factor_tickets").where("expires_at", "<=", now).execute();
};
