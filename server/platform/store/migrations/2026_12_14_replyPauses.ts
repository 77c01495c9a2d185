import type { Kysely } from "kysely";

/** Adds how many replies of a day failed, and until when the replies of an account are paused. */
export const replyPauses = () => ({
  up: async (db: Kysely<never>): Promise<void> => {
    await db.schema
      .alterTable("daily_replies")
      .addColumn("failed", "bigint", (c) => c.notNull().defaultTo(0))
      .execute();
    await db.schema.alterTable("users").addColumn("replies_paused_until", "bigint").execute();
  },
});

/** Adds how a mask shows the senders of its mail; "account" for the choice of the account. */
export const maskSenderShown = () => ({
  up: async (db: Kysely<never>): Promise<void> => {
    await db.schema
      .alterTable("masks")
      .addColumn("sender_shown", "text", (c) => c.notNull().defaultTo("account"))
      .execute();
  },
});

/** Adds how the sender of forwarded mail is shown. */
export const senderShown = () => ({
  up: async (db: Kysely<never>): Promise<void> => {
    await db.schema
      .alterTable("users")
      .addColumn("sender_shown", "text", (c) => c.notNull().defaultTo("full"))
      .execute();
  },
});

/** Adds what users call their destinations, which one is the default, and a key for each. */
export const destinationNames = () => ({
  up: async (db: Kysely<never>): Promise<void> => {
    await db.schema
      .alterTable("destinations")
      .addColumn("name", "text", (c) => c.notNull().defaultTo(""))
      .execute();
    await db.schema
      .alterTable("destinations")
      .addColumn("is_default", "integer", (c) => c.notNull().defaultTo(0))
      .execute();
    for (const column of ["public_key", "fingerprint"])
      await db.schema.alterTable("destinations").addColumn(column, "text").execute();
  },
});

/** Adds whether and when a user was mailed about newly held mail. */
export const heldNotices = () => ({
  up: async (db: Kysely<never>): Promise<void> => {
    await db.schema
      .alterTable("users")
      .addColumn("held_notices", "integer", (c) => c.notNull().defaultTo(1))
      .execute();
    await db.schema.alterTable("users").addColumn("held_noticed_at", "bigint").execute();
  },
});

/** Adds what the addresses of new masks are made of. */
export const maskFormat = () => ({
  up: async (db: Kysely<never>): Promise<void> => {
    await db.schema.alterTable("users").addColumn("mask_format", "text").execute();
  },
});

/** Adds the labels that have a color, or no mask. */
export const labels = () => ({
  up: async (db: Kysely<never>): Promise<void> => {
    await db.schema
      .createTable("labels")
      .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
      .addColumn("name", "text", (c) => c.notNull())
      .addColumn("name_key", "text", (c) => c.notNull())
      .addColumn("color", "text", (c) => c.notNull())
      .addPrimaryKeyConstraint("label_of_user", ["user_id", "name_key"])
      .execute();
  },
});

/** Adds the mask and the sender of the mail that a notification is about. */
export const notificationSenders = () => ({
  up: async (db: Kysely<never>): Promise<void> => {
    for (const column of ["mask_id", "sender"])
      await db.schema.alterTable("notifications").addColumn(column, "text").execute();
  },
});
