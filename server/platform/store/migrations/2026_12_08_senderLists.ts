import { type Kysely, sql } from "kysely";

/** Adds what happens to mail of a mask that is switched off. */
export const whenOff = () => ({
  up: async (db: Kysely<never>): Promise<void> => {
    await db.schema
      .alterTable("masks")
      .addColumn("when_off", "text", (c) => c.notNull().defaultTo("refuse"))
      .execute();
    await db.schema
      .alterTable("masks")
      .addColumn("notify_when_off", "integer", (c) => c.notNull().defaultTo(0))
      .execute();
  },
});

/** Adds who may write to a mask. */
export const senderModes = () => ({
  up: async (db: Kysely<never>): Promise<void> => {
    await db.schema
      .alterTable("masks")
      .addColumn("sender_mode", "text", (c) => c.notNull().defaultTo("all"))
      .execute();
  },
});

/** Adds the senders that a mask always or never accepts, and all recipients of a held mail. */
export const senderLists = () => ({
  up: async (db: Kysely<never>): Promise<void> => {
    await db.schema
      .createTable("mask_senders")
      .addColumn("mask_id", "text", (c) => c.notNull().references("masks.id").onDelete("cascade"))
      .addColumn("sender_hash", "text", (c) => c.notNull())
      .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
      .addColumn("list", "text", (c) => c.notNull())
      .addColumn("sealed", "text", (c) => c.notNull())
      .addColumn("created_at", "bigint", (c) => c.notNull())
      .addPrimaryKeyConstraint("sender_of_mask", ["mask_id", "sender_hash"])
      .execute();
    await db.schema.createIndex("senders_of_user").on("mask_senders").column("user_id").execute();
    await db.schema.alterTable("held_mails").addColumn("recipients", "text").execute();
  },
});

/** Adds when a mask expires, and what is left until then. */
export const maskExpiry = () => ({
  up: async (db: Kysely<never>): Promise<void> => {
    await db.schema.alterTable("masks").addColumn("expiry", "text").execute();
    for (const column of ["expires_at", "idle_ms", "mails_left", "expiry_from", "expiry_warned_for"])
      await db.schema.alterTable("masks").addColumn(column, "bigint").execute();
    await sql`create index masks_with_expiry on masks (expires_at) where expiry is not null`.execute(db);
  },
});

/** Adds where the mail of a mask goes besides its first destination. */
export const maskDestinations = () => ({
  up: async (db: Kysely<never>): Promise<void> => {
    await db.schema
      .createTable("mask_destinations")
      .addColumn("mask_id", "text", (c) => c.notNull().references("masks.id").onDelete("cascade"))
      .addColumn("destination_id", "text", (c) =>
        c.notNull().references("destinations.id").onDelete("cascade"),
      )
      .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
      .addColumn("position", "integer", (c) => c.notNull())
      .addPrimaryKeyConstraint("destination_of_mask", ["mask_id", "destination_id"])
      .execute();
    await db.schema
      .createIndex("masks_of_destination")
      .on("mask_destinations")
      .column("destination_id")
      .execute();
    await db.schema.createIndex("destinations_of_masks").on("mask_destinations").column("user_id").execute();
  },
});
