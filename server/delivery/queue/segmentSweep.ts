import type { SpoolFolder } from "../../platform/spool/spoolFile.ts";
import type { Database, Db } from "../../platform/store/database.ts";
import { partColumns, placeOf } from "./bodyRows.ts";

/** Contents of mail that waits for long are moved from a segment of this age to their rows. */
const moveAfterMs = 60_000;
/** Contents that are moved in one transaction. */
const movedTogether = 50;

const listParts = (db: Db, segment: string, limit: number) =>
  db
    .selectFrom("bodies")
    .where("segment", "=", segment)
    .select(["id", ...partColumns])
    .limit(limit)
    .execute();

/**
 * Creates the function that deletes the segments without waiting mail. What still waits in an older one is moved to
 * its row first, so that one mail does not keep the space of thousands; not while the disk is almost full, because
 * that needs room for a time.
 */
export const createSegmentSweep = (
  { db, transaction }: Pick<Database, "db" | "transaction">,
  { segments, hasRoom }: Pick<SpoolFolder, "segments" | "hasRoom">,
): (() => Promise<void>) => {
  if (!segments) return async () => {};

  const moveContents = async (segment: string): Promise<void> => {
    for (;;) {
      const parts = await listParts(db, segment, movedTogether);
      if (parts.length === 0) return;
      const contents = await Promise.all(
        parts.map(async (part) => {
          const place = placeOf(part);
          return place && segments.read(place);
        }),
      );
      await transaction(async (tx) => {
        for (const [n, { id, part }] of parts.entries())
          await tx
            .updateTable("bodies")
            .set({
              content: contents[n] ?? null,
              file_key: null,
              segment: null,
              segment_start: null,
              segment_length: null,
            })
            .where("id", "=", id)
            .where("part", "=", part)
            .execute();
      });
    }
  };

  return async () => {
    for (const { name, ageMs } of await segments.listComplete()) {
      if (ageMs > moveAfterMs && hasRoom()) await moveContents(name);
      if ((await listParts(db, name, 1)).length === 0) await segments.remove(name);
    }
  };
};
