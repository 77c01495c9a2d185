import type { Db } from "../../platform/store/database.ts";

/** The figures of all masks of a user that are not deleted. */
export interface MaskSums {
  readonly masks: number;
  readonly active: number;
  readonly forwarded: number;
  readonly blocked: number;
  readonly sent: number;
}

/** Returns the figures of all the user's masks. */
export const sumMasks = async (db: Db, userId: string): Promise<MaskSums> => {
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
  return {
    masks: Number(sums.masks),
    active: Number(sums.active ?? 0),
    forwarded: Number(sums.forwarded ?? 0),
    blocked: Number(sums.blocked ?? 0),
    sent: Number(sums.sent ?? 0),
  };
};
