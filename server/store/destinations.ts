import type { Selectable } from "kysely";
import type { Db } from "./database.ts";
import type { DestinationsTable } from "./maskTables.ts";

export type DestinationRow = Selectable<DestinationsTable>;

export interface NewDestination {
  readonly id: string;
  readonly userId: string;
  readonly email: string;
  readonly emailKey: string;
  readonly confirmedAt: number | null;
  readonly now: number;
}

/** The user's destination of that mailbox, made if it was not there, and locked until the transaction ends. */
export const ensureDestination = (db: Db, destination: NewDestination): Promise<DestinationRow> =>
  db
    .insertInto("destinations")
    .values({
      id: destination.id,
      user_id: destination.userId,
      email: destination.email,
      email_key: destination.emailKey,
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

/** The addresses a user has confirmed (D33). */
export const confirmedAddresses = async (db: Db, userId: string): Promise<readonly string[]> => {
  const rows = await db
    .selectFrom("destinations")
    .select("email")
    .where("user_id", "=", userId)
    .where("confirmed_at", "is not", null)
    .execute();
  return rows.map(({ email }) => email);
};

/** How many of the user's addresses have been asked for confirmation after `since`. */
export const countAsked = async (db: Db, userId: string, since: number): Promise<number> => {
  const { asked } = await db
    .selectFrom("destinations")
    .select((e) => e.fn.countAll<number>().as("asked"))
    .where("user_id", "=", userId)
    .where("asked_at", ">", since)
    .executeTakeFirstOrThrow();
  return Number(asked);
};

/** Notes that a confirmation mail goes out; its link takes the place of an older one. */
export const noteAsked = async (
  db: Db,
  id: string,
  asked: { readonly tokenHash: string; readonly tokenExpiresAt: number; readonly now: number },
): Promise<void> => {
  await db
    .updateTable("destinations")
    .set({ token_hash: asked.tokenHash, token_expires_at: asked.tokenExpiresAt, asked_at: asked.now })
    .where("id", "=", id)
    .execute();
};

/** The destination that a confirmation link is about; undefined when the link is unknown or too old. */
export const destinationOfLink = (
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

/** Lets mail through to a destination; false when that was so already. */
export const confirmDestination = async (db: Db, id: string, now: number): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable("destinations")
    .set({ confirmed_at: now })
    .where("id", "=", id)
    .where("confirmed_at", "is", null)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
};
