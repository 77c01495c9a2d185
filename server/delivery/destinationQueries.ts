import type { Selectable } from "kysely";
import type { Db } from "../store/database.ts";
import type { DestinationsTable } from "../store/mailTables.ts";

export type DestinationRow = Selectable<DestinationsTable>;

export interface NewDestination {
  readonly id: string;
  readonly userId: string;
  readonly email: string;
  readonly emailKey: string;
  readonly confirmedAt: number | null;
  readonly now: number;
}

/** Returns a user's destination for a mailbox, creating it if needed, and locks it until the transaction ends. */
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
    .leftJoin("masks", (join) =>
      join.onRef("masks.destination_id", "=", "destinations.id").on("masks.deleted_at", "is", null),
    )
    .where("destinations.user_id", "=", userId)
    .groupBy([
      "destinations.id",
      "destinations.email",
      "destinations.confirmed_at",
      "destinations.created_at",
    ])
    .orderBy("destinations.created_at")
    .orderBy("destinations.email")
    .select(({ fn }) => [
      "destinations.id",
      "destinations.email",
      "destinations.confirmed_at",
      fn.count<number>("masks.id").as("masks"),
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
