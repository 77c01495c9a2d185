import type { Db } from "./database.ts";

export const insertTicket = async (
  db: Db,
  ticket: { readonly tokenHash: string; readonly email: string; readonly expiresAt: number },
): Promise<void> => {
  await db
    .insertInto("sign_up_tickets")
    .values({ token_hash: ticket.tokenHash, email: ticket.email, expires_at: ticket.expiresAt })
    .execute();
};

/** The address that a ticket proves; undefined when there is none or it is too old. */
export const ticketEmail = async (db: Db, tokenHash: string, now: number): Promise<string | undefined> => {
  const row = await db
    .selectFrom("sign_up_tickets")
    .select("email")
    .where("token_hash", "=", tokenHash)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return row?.email;
};

/** Uses a ticket up and answers the address it proves; undefined when there is none left to use. */
export const takeTicket = async (db: Db, tokenHash: string, now: number): Promise<string | undefined> => {
  const row = await db
    .deleteFrom("sign_up_tickets")
    .where("token_hash", "=", tokenHash)
    .where("expires_at", ">", now)
    .returning("email")
    .executeTakeFirst();
  return row?.email;
};

export const pruneTickets = async (db: Db, now: number): Promise<void> => {
  await db.deleteFrom("sign_up_tickets").where("expires_at", "<=", now).execute();
};
