import { type Kysely, sql } from "kysely";

/** Authenticators, recovery codes, and who owes the second factor; answers that were kept unsealed are forgotten. */
export const twoFactor = () => ({
  up: async (db: Kysely<never>): Promise<void> => {
    await db.schema
      .createTable("two_factors")
      .addColumn("user_id", "text", (c) => c.primaryKey().references("users.id").onDelete("cascade"))
      .addColumn("secret", "text", (c) => c.notNull())
      .addColumn("verified_at", "bigint")
      .addColumn("last_step", "bigint", (c) => c.notNull())
      .addColumn("tries", "integer", (c) => c.notNull())
      .addColumn("tries_from", "bigint", (c) => c.notNull())
      .addColumn("created_at", "bigint", (c) => c.notNull())
      .execute();

    await db.schema
      .createTable("recovery_codes")
      .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
      .addColumn("code_hash", "text", (c) => c.notNull())
      .addPrimaryKeyConstraint("recovery_code_once", ["user_id", "code_hash"])
      .execute();

    await db.schema
      .createTable("second_factor_tickets")
      .addColumn("token_hash", "text", (c) => c.primaryKey())
      .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
      .addColumn("expires_at", "bigint", (c) => c.notNull())
      .addColumn("tries", "integer", (c) => c.notNull())
      .execute();
    await db.schema
      .createIndex("second_factor_tickets_of_user")
      .on("second_factor_tickets")
      .column("user_id")
      .execute();

    await sql`delete from idempotent_answers`.execute(db);
  },
});
