import type { Kysely } from "kysely";

/** Adds when the owner of a mail was told of its delay. */
export const delayNotices = () => ({
  up: async (db: Kysely<never>): Promise<void> => {
    await db.schema.alterTable("queue").addColumn("delay_noticed_at", "bigint").execute();
  },
});

/** Adds the policies of domains for the TLS of their mail servers. */
export const tlsPolicies = () => ({
  up: async (db: Kysely<never>): Promise<void> => {
    await db.schema
      .createTable("tls_policies")
      .addColumn("domain", "text", (c) => c.primaryKey())
      .addColumn("policy_id", "text", (c) => c.notNull())
      .addColumn("mode", "text", (c) => c.notNull())
      .addColumn("servers", "text", (c) => c.notNull())
      .addColumn("fetched_at", "bigint", (c) => c.notNull())
      .addColumn("expires_at", "bigint", (c) => c.notNull())
      .execute();
    await db.schema.createIndex("tls_policies_by_end").on("tls_policies").column("expires_at").execute();
  },
});
