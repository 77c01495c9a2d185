import { removeKeptOfUser } from "../../delivery/queue/keptBytes.ts";
import { deleteUnusedBodies } from "../../delivery/queue/queueBodies.ts";
import type { Db } from "../../platform/store/database.ts";
import type { UserRow } from "../../platform/store/users.ts";
import { releaseCustomer } from "../billing/customerQueries.ts";

/** Returns a user's mail counts by month, newest first. */
export const listUsageByMonth = (db: Db, userId: string) =>
  db
    .selectFrom("monthly_usage")
    .select(["month", "received", "forwarded", "blocked"])
    .where("user_id", "=", userId)
    .orderBy("month", "desc")
    .execute();

/** Returns every address of a user's masks with the mask's id, oldest first. */
export const listMaskAddresses = (db: Db, userId: string) =>
  db
    .selectFrom("mask_addresses")
    .innerJoin("masks", "masks.id", "mask_addresses.mask_id")
    .select(["mask_addresses.email_key as email", "masks.id as maskId"])
    .where("masks.user_id", "=", userId)
    .where("masks.deleted_at", "is", null)
    .orderBy("mask_addresses.created_at")
    .orderBy("mask_addresses.email_key")
    .execute();

/** Deletes queued system mails to addresses that no other user has as a destination. */
const deleteSystemMails = async (db: Db, userId: string): Promise<void> => {
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
 * Deletes a user and all their rows, inside a transaction that has locked the user. Mask addresses stay
 * reserved without an owner, so that they are never assigned again; payments are scheduled to be canceled.
 */
export const deleteUser = async (
  db: Db,
  user: Pick<UserRow, "id" | "email" | "email_key">,
  now: number,
): Promise<void> => {
  await releaseCustomer(db, user.email_key, now);
  await deleteSystemMails(db, user.id);
  await db.deleteFrom("masks").where("user_id", "=", user.id).execute();
  await db.deleteFrom("destinations").where("user_id", "=", user.id).execute();
  await db.deleteFrom("login_codes").where("email_key", "=", user.email_key).execute();
  await db.deleteFrom("sign_up_tickets").where("email", "=", user.email).execute();
  await removeKeptOfUser(db, user.id);
  await db.deleteFrom("users").where("id", "=", user.id).execute();
  await deleteUnusedBodies(db);
};
