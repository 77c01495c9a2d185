import type { Kysely } from "kysely";

/** Adds whether the Web Key Directory serves a user's key. */
export const publishedKeys = () => ({
  up: async (db: Kysely<never>): Promise<void> => {
    await db.schema
      .alterTable("public_keys")
      .addColumn("published", "integer", (c) => c.notNull().defaultTo(1))
      .execute();
  },
});

/** Adds the client whose request made a change, which is not notified of it. */
export const eventClients = () => ({
  up: async (db: Kysely<never>): Promise<void> => {
    await db.schema.alterTable("events").addColumn("client_id", "text").execute();
  },
});
