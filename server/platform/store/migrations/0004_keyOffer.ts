import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";

/** What a user without a key has answered to the offer to encrypt mail. */
export const keyOffer: Migration = {
  up: async (db: Kysely<never>): Promise<void> => {
    await db.schema.alterTable("users").addColumn("key_offer", "text").execute();
  },
};
