import { type Kysely, sql } from "kysely";

/** Adds when a mask was deleted, because it can be restored for a minute. */
export const deletedMasks = () => ({
  up: async (db: Kysely<never>): Promise<void> => {
    await db.schema.alterTable("masks").addColumn("deleted_at", "bigint").execute();
    await db.schema
      .alterTable("masks")
      .addColumn("deleted_active", "integer", (c) => c.notNull().defaultTo(0))
      .execute();
    await db.schema.createIndex("deleted_masks").on("masks").column("deleted_at").execute();
  },
});

/** Adds whether a mask accepts unauthenticated senders without a mark. */
export const acceptUnproven = () => ({
  up: async (db: Kysely<never>): Promise<void> => {
    await db.schema
      .alterTable("masks")
      .addColumn("accept_unproven", "integer", (c) => c.notNull().defaultTo(0))
      .execute();
  },
});

/** Adds the labels (JSON), the note and the pin of a mask. */
export const maskOrder = () => ({
  up: async (db: Kysely<never>): Promise<void> => {
    await db.schema
      .alterTable("masks")
      .addColumn("labels", "text", (c) => c.notNull().defaultTo("[]"))
      .execute();
    await db.schema
      .alterTable("masks")
      .addColumn("note", "text", (c) => c.notNull().defaultTo(""))
      .execute();
    await db.schema
      .alterTable("masks")
      .addColumn("pinned", "integer", (c) => c.notNull().defaultTo(0))
      .execute();
  },
});

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

/** Adds how the sender of forwarded mail is shown. */
export const senderShown = () => ({
  up: async (db: Kysely<never>): Promise<void> => {
    await db.schema
      .alterTable("users")
      .addColumn("sender_shown", "text", (c) => c.notNull().defaultTo("full"))
      .execute();
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

/** Whether another account than that of the mask has proven the mask's domain. */
const isLost = sql`exists (
  select 1 from domains
  where domains.proven_at is not null and domains.user_id <> masks.user_id
    and lower(masks.email) like '%@' || domains.name
)`;

/** Moves masks to the trash whose domain another account has proven since; a change of several masks could restore them. */
export const lostMasks = () => ({
  up: async (db: Kysely<never>): Promise<void> => {
    await sql`
      update users set mask_count = mask_count - (
        select count(*) from masks where masks.user_id = users.id and masks.deleted_at is null and ${isLost}
      )
      where id in (select masks.user_id from masks where masks.deleted_at is null and ${isLost})
    `.execute(db);
    await sql`
      delete from mask_addresses where mask_id in (select masks.id from masks where ${isLost})
    `.execute(db);
    await sql`
      update masks set deleted_at = ${Date.now()}, deleted_active = active, active = 0, paused = 0
      where deleted_at is null and ${isLost}
    `.execute(db);
  },
});
