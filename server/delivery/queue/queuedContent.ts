import { maxBytesInMemory } from "../../platform/spool/arrivingContent.ts";
import { asBuffer } from "../../platform/spool/asBuffer.ts";
import type { Db } from "../../platform/store/database.ts";
import { skipBytes, toBuffer, withHead } from "../outgoingCopy.ts";
import { hasContent, partColumns, type StoredPart } from "./bodyRows.ts";
import type { BodyReader } from "./bodyStore.ts";
import type { BodyReference } from "./queueBodies.ts";

/** Returns the bytes of a queued copy, which may be read several times. */
export type ReadCopy = () => Iterable<Buffer> | AsyncIterable<Buffer>;

const readRow = async (db: Db, id: string, { part }: Pick<StoredPart, "part">): Promise<Buffer> => {
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
  bodies: BodyReader,
  id: string,
  parts: readonly StoredPart[],
): AsyncIterable<Buffer> {
  for (const part of parts)
    if (hasContent(part)) yield await readRow(db, id, part);
    else yield* skipBytes(bodies.read(id, part), part.skip);
}

/**
 * Finds the content of a queued copy; null when it no longer exists. Small content is read at once, in one statement;
 * throws a `BodyUnavailable` when that fails.
 */
export const findQueuedCopy = async (
  db: Db,
  bodies: BodyReader,
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
      small.map((part) =>
        part.content ? asBuffer(part.content) : toBuffer(skipBytes(bodies.read(bodyId, part), part.skip)),
      ),
    );
    return chunks.length === 0 ? null : () => chunks;
  }
  const parts = await rows.select(partColumns).execute();
  const [head, rest] = parts;
  if (parts.length === 2 && head && rest && hasContent(head) && !hasContent(rest)) {
    const first = await readRow(db, bodyId, head);
    return () => withHead(first, bodies.read(bodyId, rest), rest.skip);
  }
  return parts.length === 0 ? null : () => readParts(db, bodies, bodyId, parts);
};
