import type { Kysely } from "kysely";

/** Orders the index of a user's masks as their list is, so that no part of it is sorted. */
export const listedMasks = () => ({
  up: async (db: Kysely<never>): Promise<void> => {
    await db.schema
      .createIndex("listed_masks")
      .on("masks")
      .columns(["user_id", "created_at", "id"])
      .execute();
    await db.schema.dropIndex("masks_of_user").execute();
  },
});
