import { type Kysely, sql } from "kysely";

/** Adds the domains whose addresses are masks, and the names of sub-domains that were ever claimed. */
export const domains = () => ({
  up: async (db: Kysely<never>): Promise<void> => {
    await db.schema
      .createTable("domains")
      .addColumn("id", "text", (c) => c.primaryKey())
      .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
      .addColumn("kind", "text", (c) => c.notNull())
      .addColumn("name", "text", (c) => c.notNull())
      .addColumn("token", "text", (c) => c.notNull())
      .addColumn("proven_at", "bigint")
      .addColumn("lapsed_at", "bigint")
      .addColumn("checked_at", "bigint")
      .addColumn("next_check_at", "bigint")
      .addColumn("found", "text", (c) => c.notNull().defaultTo("{}"))
      .addColumn("catch_all", "text", (c) => c.notNull().defaultTo("off"))
      .addColumn("patterns", "text", (c) => c.notNull().defaultTo("[]"))
      .addColumn("approve_first", "integer", (c) => c.notNull().defaultTo(0))
      .addColumn("destination_id", "text", (c) => c.references("destinations.id").onDelete("set null"))
      .addColumn("made_day", "text", (c) => c.notNull().defaultTo(""))
      .addColumn("made_count", "bigint", (c) => c.notNull().defaultTo(0))
      .addColumn("dkim_private", "text")
      .addColumn("dkim_public", "text")
      .addColumn("dkim_published", "integer", (c) => c.notNull().defaultTo(0))
      .addColumn("created_at", "bigint", (c) => c.notNull())
      .addUniqueConstraint("domain_of_user", ["user_id", "name"])
      .execute();
    await sql`create unique index proven_domain on domains (name) where proven_at is not null`.execute(db);
    await sql`create index domain_checks on domains (next_check_at) where next_check_at is not null`.execute(
      db,
    );
    await db.schema.createIndex("domain_destinations").on("domains").column("destination_id").execute();
    await db.schema
      .createTable("claimed_subdomains")
      .addColumn("name", "text", (c) => c.primaryKey())
      .addColumn("user_id", "text", (c) => c.references("users.id").onDelete("set null"))
      .addColumn("created_at", "bigint", (c) => c.notNull())
      .execute();
    await db.schema
      .createIndex("claimed_subdomains_of_user")
      .on("claimed_subdomains")
      .column("user_id")
      .execute();
  },
});
