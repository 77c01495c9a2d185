import { type Kysely, sql } from "kysely";

/** Adds the place of content that is in a segment, shared with other mails. */
export const segments = () => ({
  up: async (db: Kysely<never>): Promise<void> => {
    for (const column of ["segment_start", "segment_length"] as const)
      await db.schema.alterTable("bodies").addColumn(column, "bigint").execute();
    await db.schema.alterTable("bodies").addColumn("segment", "text").execute();
    await sql`create index bodies_of_segment on bodies (segment) where segment is not null`.execute(db);
  },
});
