import { releaseCustomer } from "./billingFarewells.ts";
import type { Db } from "./database.ts";
import type { UserRow } from "./users.ts";

/** Mail of a user's that counted, the newest month first. */
export const usageByMonth = (db: Db, userId: string) =>
  db
    .selectFrom("monthly_usage")
    .select(["month", "received", "forwarded", "blocked"])
    .where("user_id", "=", userId)
    .orderBy("month", "desc")
    .execute();

/** Where mail of a user's may go, the oldest first. */
export const destinationsOf = (db: Db, userId: string) =>
  db
    .selectFrom("destinations")
    .select(["email", "confirmed_at", "created_at"])
    .where("user_id", "=", userId)
    .orderBy("created_at")
    .orderBy("email_key")
    .execute();

/** Every address a user's masks can be reached at, with the mask, the oldest first. */
export const addressesOfUser = (db: Db, userId: string) =>
  db
    .selectFrom("mask_addresses")
    .innerJoin("masks", "masks.id", "mask_addresses.mask_id")
    .select(["mask_addresses.email_key as email", "masks.id as maskId"])
    .where("masks.user_id", "=", userId)
    .orderBy("mask_addresses.created_at")
    .orderBy("mask_addresses.email_key")
    .execute();

/** Removes our own mails to where only this user's mail may go: confirmations, codes, notices. */
const deleteOwnMails = async (db: Db, userId: string): Promise<void> => {
  const only = db
    .selectFrom("destinations as own")
    .select("own.email_key")
    .where("own.user_id", "=", userId)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("destinations as other")
            .select("other.id")
            .whereRef("other.email_key", "=", "own.email_key")
            .where("other.user_id", "!=", userId),
        ),
      ),
    );
  await db
    .deleteFrom("queue")
    .where("user_id", "is", null)
    .where(({ fn }) => fn<string>("lower", ["recipient"]), "in", only)
    .execute();
};

/**
 * Removes a user and every row that is theirs, inside a transaction that has locked them. The addresses of their masks
 * stay reserved, without a word of whose they were, so that nobody else is ever given one, and whoever they paid is to be told (server/billing).
 */
export const deleteUser = async (
  db: Db,
  user: Pick<UserRow, "id" | "email" | "email_key">,
  now: number,
): Promise<void> => {
  await releaseCustomer(db, user.email_key, now);
  await deleteOwnMails(db, user.id);
  await db.deleteFrom("masks").where("user_id", "=", user.id).execute();
  await db.deleteFrom("destinations").where("user_id", "=", user.id).execute();
  await db.deleteFrom("login_codes").where("email_key", "=", user.email_key).execute();
  await db.deleteFrom("sign_up_tickets").where("email", "=", user.email).execute();
  await db.deleteFrom("users").where("id", "=", user.id).execute();
};
