import type { Db } from "../../platform/store/database.ts";
import { findDestinations } from "../destinations/destinationQueries.ts";
import type { RecipientSource } from "./contract/recipient.ts";

/** A destination with what is known of it. */
export interface OwnRecipient extends RecipientSource {
  readonly masks: number;
  readonly isDefault: boolean;
}

/** Returns the user's destinations, oldest first. */
export const findRecipients = async (db: Db, userId: string): Promise<readonly OwnRecipient[]> => {
  const rows = await findDestinations(db, userId);
  const hasDefault = rows.some((row) => row.is_default === 1);
  return rows.map((row) => ({
    userId,
    id: row.id,
    email: row.email,
    confirmedAt: row.confirmed_at,
    createdAt: row.created_at,
    fingerprint: row.fingerprint,
    masks: Number(row.masks),
    isDefault: hasDefault ? row.is_default === 1 : Number(row.is_account) === 1,
  }));
};

/** Returns how many masks have been in the user's trash since a time. */
export const countTrashed = async (db: Db, userId: string, since: number): Promise<number> => {
  const { trashed } = await db
    .selectFrom("masks")
    .where("user_id", "=", userId)
    .where("deleted_at", ">=", since)
    .select(({ fn }) => fn.countAll<number>().as("trashed"))
    .executeTakeFirstOrThrow();
  return Number(trashed);
};
