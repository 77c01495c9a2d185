import { type Kysely, sql } from "kysely";

/**
 * The descriptions of masks that forwarded mail has shown, beginning with those that it may have shown until now. Replies
 * quote mail of any age, so they stay as long as the mask.
 */
export const shownDescriptions = {
  up: async (db: Kysely<never>): Promise<void> => {
    await sql`create table shown_descriptions (
      mask_id text not null references masks (id) on delete cascade,
      user_id text not null references users (id) on delete cascade,
      description text not null,
      first_shown_at bigint not null,
      constraint shown_descriptions_pk primary key (mask_id, description)
    )`.execute(db);
    await sql`create index shown_descriptions_of_user on shown_descriptions (user_id)`.execute(db);
    await sql`insert into shown_descriptions (mask_id, user_id, description, first_shown_at)
      select masks.id, masks.user_id, masks.description, masks.created_at from masks
      join users on users.id = masks.user_id
      where masks.description <> ''
        and (masks.sender_shown = 'mask' or (masks.sender_shown = 'account' and users.sender_shown = 'mask'))`.execute(
      db,
    );
  },
};
