import type { RecipientSource } from "../../../core/addy/recipient.ts";
import type { Db } from "../../platform/store/database.ts";
import { findDestinations } from "../destinations/destinationQueries.ts";
import { rightAtDomain } from "../masks/addressRight.ts";

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

/** Returns the user's own domains at which new masks can be made. */
export const findOwnDomains = async (db: Db, userId: string, now: number) => {
  const rows = await db
    .selectFrom("domains")
    .select(["id", "name", "kind", "lapsed_at"])
    .where("user_id", "=", userId)
    .where("proven_at", "is not", null)
    .orderBy("name")
    .execute();
  return rows.filter((row) => rightAtDomain(row, "", now) === "new");
};

/** Returns the figures of all the user's masks, and how many are in the trash since a time. */
export const sumMasks = async (db: Db, userId: string, trashedSince: number) => {
  const sums = await db
    .selectFrom("masks")
    .innerJoin("mask_statistics", "mask_statistics.mask_id", "masks.id")
    .where("masks.user_id", "=", userId)
    .where("masks.deleted_at", "is", null)
    .select(({ fn }) => [
      fn.countAll<number>().as("masks"),
      fn.sum<number | null>("masks.active").as("active"),
      fn.sum<number | null>("total_forwarded").as("forwarded"),
      fn.sum<number | null>("spam_blocked").as("blocked"),
      fn.sum<number | null>("total_sent").as("sent"),
    ])
    .executeTakeFirstOrThrow();
  const { trashed } = await db
    .selectFrom("masks")
    .where("user_id", "=", userId)
    .where("deleted_at", ">=", trashedSince)
    .select(({ fn }) => fn.countAll<number>().as("trashed"))
    .executeTakeFirstOrThrow();
  return {
    masks: Number(sums.masks),
    active: Number(sums.active ?? 0),
    forwarded: Number(sums.forwarded ?? 0),
    blocked: Number(sums.blocked ?? 0),
    sent: Number(sums.sent ?? 0),
    trashed: Number(trashed),
  };
};
