import type { Selectable } from "kysely";
import { maxBytesInMemory } from "../../platform/spool/arrivingContent.ts";
import { asBuffer } from "../../platform/spool/asBuffer.ts";
import type { ContentPlace } from "../../platform/spool/segments.ts";
import type { SpoolFolder } from "../../platform/spool/spoolFile.ts";
import type { Db } from "../../platform/store/database.ts";
import { skipBytes, withHead } from "../outgoingCopy.ts";
import type { BodyReference } from "./queueBodies.ts";
import type { BodiesTable } from "./tables.ts";

/** Returns the bytes of a queued copy, which may be read several times. */
export type ReadCopy = () => Iterable<Buffer> | AsyncIterable<Buffer>;

/** What reading queued copies needs of the spool. */
export type BodyFiles = Pick<SpoolFolder, "read" | "segments">;

/** A row without its content. */
type Part = Omit<Selectable<BodiesTable>, "id" | "content">;

export const partColumns = [
  "part",
  "skip",
  "file_key",
  "segment",
  "segment_start",
  "segment_length",
] as const;

/** Returns where the content of a row is; null when it is not in a segment. */
export const placeOf = ({ segment, segment_start, segment_length, file_key }: Part): ContentPlace | null =>
  segment === null
    ? null
    : {
        segment,
        start: Number(segment_start),
        length: Number(segment_length),
        key: file_key ?? "",
      };

const readPlace = async ({ segments }: BodyFiles, place: ContentPlace): Promise<Buffer> => {
  if (!segments) throw new Error("a queued mail is in a file of another process");
  return segments.read(place);
};

const readRow = async (db: Db, id: string, { part }: Part): Promise<Buffer> => {
  const { content } = await db
    .selectFrom("bodies")
    .where("id", "=", id)
    .where("part", "=", part)
    .select("content")
    .executeTakeFirstOrThrow();
  return content ? asBuffer(content) : Buffer.alloc(0);
};

async function* readParts(
  db: Db,
  spool: BodyFiles,
  id: string,
  parts: readonly Part[],
): AsyncIterable<Buffer> {
  for (const part of parts) {
    const place = placeOf(part);
    if (place) yield await readPlace(spool, place);
    else if (part.file_key !== null) yield* skipBytes(spool.read({ id, key: part.file_key }), part.skip);
    else yield await readRow(db, id, part);
  }
}

/** Finds the content of a queued copy; null when it no longer exists. Small content is read in one statement. */
export const findQueuedCopy = async (
  db: Db,
  spool: BodyFiles,
  mail: BodyReference & { readonly id: string; readonly size: number },
): Promise<ReadCopy | null> => {
  const { id, bodyId, bodyHead, size } = mail;
  if (bodyId === null) {
    const row = await db.selectFrom("queue").where("id", "=", id).select("content").executeTakeFirst();
    const content = row?.content;
    return content ? () => [asBuffer(content)] : null;
  }
  const rows = db
    .selectFrom("bodies")
    .where("id", "=", bodyId)
    .where((eb) => eb.or([eb("part", ">=", 0), eb("part", "=", bodyHead)]))
    .orderBy("part");
  if (size <= maxBytesInMemory) {
    const small = await rows.select(["content", ...partColumns]).execute();
    const chunks = await Promise.all(
      small.map((part) => {
        const place = placeOf(part);
        return place ? readPlace(spool, place) : part.content && asBuffer(part.content);
      }),
    );
    const all = chunks.filter((chunk) => chunk !== null);
    if (all.length > 0 && all.length === chunks.length) return () => all;
  }
  const parts = await rows.select(partColumns).execute();
  const [head, file] = parts;
  if (parts.length === 2 && head && file?.file_key && head.file_key === null && file.segment === null) {
    const [first, key] = [await readRow(db, bodyId, head), file.file_key];
    return () => withHead(first, spool.read({ id: bodyId, key }), file.skip);
  }
  return parts.length === 0 ? null : () => readParts(db, spool, bodyId, parts);
};
