import { sql } from "kysely";
import type { Db } from "./database.ts";

/**
 * Counts one mail as received and forwarded by a mask. False, and nothing is counted, when the mask is no longer
 * active or no longer leads to that destination: then its owner has changed their mind meanwhile.
 */
export const countForwarded = async (
  db: Db,
  mask: { readonly maskId: string; readonly destinationId: string },
  now: number,
): Promise<boolean> => {
  const counted = await db
    .insertInto("mask_statistics")
    .columns(["mask_id", "user_id", "total_received", "total_forwarded", "last_used_at"])
    .expression((eb) =>
      eb
        .selectFrom("masks")
        .where("masks.id", "=", mask.maskId)
        .where("masks.active", "=", 1)
        .where("masks.destination_id", "=", mask.destinationId)
        .select([
          "masks.id",
          "masks.user_id",
          sql<number>`1`.as("received"),
          sql<number>`1`.as("forwarded"),
          sql<number>`cast(${now} as bigint)`.as("used"),
        ]),
    )
    .onConflict((conflict) =>
      conflict.column("mask_id").doUpdateSet((eb) => ({
        total_received: eb("mask_statistics.total_received", "+", 1),
        total_forwarded: eb("mask_statistics.total_forwarded", "+", 1),
        last_used_at: now,
      })),
    )
    .returning("mask_id")
    .execute();
  return counted.length === 1;
};
