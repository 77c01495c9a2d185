import { type Kysely, sql } from "kysely";

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
