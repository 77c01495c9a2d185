import type { Selectable } from "kysely";
import type { MailContent } from "../smtp/rawMail.ts";
import { maxBytesInMemory, spoolFileOf } from "../spool/arrivingContent.ts";
import type { SpoolFolder } from "../spool/spoolFile.ts";
import type { Database, Db } from "../store/database.ts";
import type { RowStatement, SqlValue } from "../store/engine.ts";
import type { BodiesTable } from "../store/mailTables.ts";
import {
  asBuffer,
  copyChunks,
  isInMemory,
  type OutgoingCopy,
  type SharedBody,
  skipBytes,
} from "./outgoingCopy.ts";

/** Where the content of a queued copy is stored. */
export interface BodyReference {
  /** null when the row of the queue contains everything. */
  readonly bodyId: string | null;
  readonly bodyHead: number;
}

/** The rows with the content of copies, and each copy's reference to them. */
export interface NewBodies {
  readonly references: readonly BodyReference[];
  readonly rows: readonly (readonly SqlValue[])[];
}

const insertParts: RowStatement = {
  columns: { id: "text", part: "bigint", content: "bytea", file_key: "text", skip: "bigint" },
  text: (rows) =>
    `insert into bodies (id, part, content, file_key, skip)
     select given.id, given.part, given.content, given.file_key, given.skip from ${rows}`,
};

const concat = (copy: OutgoingCopy): Buffer => Buffer.concat([...(copyChunks(copy) as Iterable<Buffer>)]);

/** Returns the shared rows of a body, in chunks where it is not in memory. */
const sharedRows = async (
  id: string,
  { content, skip }: SharedBody,
  isFileDurable: boolean,
): Promise<SqlValue[][]> => {
  if (isInMemory(content)) return [[id, 0, content.head.subarray(skip), null, 0]];
  const file = spoolFileOf(content);
  if (file && isFileDurable) return [[id, 0, null, file.key, skip]];
  const rows: SqlValue[][] = [];
  for await (const chunk of skipBytes(content.chunks(), skip)) rows.push([id, rows.length, chunk, null, 0]);
  return rows;
};

/**
 * Returns the rows that store copies, with shared content once; a mail of one copy in memory is one row.
 * `newId` names a body that is not a file.
 */
export const bodiesOf = async (
  copies: readonly OutgoingCopy[],
  newId: () => string,
  isFileDurable: boolean,
): Promise<NewBodies> => {
  const counts = new Map<MailContent, number>();
  for (const { body } of copies) if (body) counts.set(body.content, (counts.get(body.content) ?? 0) + 1);
  const isShared = ({ content }: SharedBody): boolean => !isInMemory(content) || counts.get(content) !== 1;
  const shared = new Map<MailContent, { readonly id: string; heads: number }>();
  const references: BodyReference[] = [];
  const rows: SqlValue[][] = [];

  const share = async (body: SharedBody) => {
    const known = shared.get(body.content);
    if (known) return known;
    const id = (isFileDurable && spoolFileOf(body.content)?.id) || newId();
    const created = { id, heads: 0 };
    shared.set(body.content, created);
    rows.push(...(await sharedRows(id, body, isFileDurable)));
    return created;
  };

  for (const copy of copies) {
    const { head, body } = copy;
    if (body && isShared(body)) {
      const to = await share(body);
      to.heads += 1;
      rows.push([to.id, -to.heads, head, null, 0]);
      references.push({ bodyId: to.id, bodyHead: -to.heads });
    } else {
      const id = newId();
      rows.push([id, 0, body ? concat(copy) : head, null, 0]);
      references.push({ bodyId: id, bodyHead: 0 });
    }
  }
  return { references, rows };
};

export const insertBodies = async (
  { engine }: Pick<Database, "engine">,
  db: Db,
  rows: NewBodies["rows"],
): Promise<void> => {
  await engine.runRows(db, insertParts, rows);
};

const lockParts: RowStatement = {
  columns: { id: "text" },
  text: (rows) =>
    `select id from bodies where id in (select given.id from ${rows}) order by id, part for update`,
};

const deleteParts: RowStatement = {
  columns: { id: "text" },
  text: (rows) =>
    `delete from bodies where id in (select given.id from ${rows})
     and not exists (select 1 from queue where queue.body_id = bodies.id) returning id, file_key`,
};

/** Deletes those of the bodies that no row of the queue refers to; returns the files to remove after the commit. */
export const deleteBodies = async (
  { engine }: Pick<Database, "engine">,
  db: Db,
  ids: readonly string[],
): Promise<readonly string[]> => {
  const rows = [...new Set(ids)].map((id) => [id]);
  if (rows.length === 0) return [];
  // Otherwise two processes that finish the last two copies would each see the other's as waiting.
  if (engine.name === "postgresql") await engine.runRows(db, lockParts, rows);
  const deleted = await engine.runRows<{ id: string; file_key: string | null }>(db, deleteParts, rows);
  return deleted.filter(({ file_key }) => file_key !== null).map(({ id }) => id);
};

/** Deletes all bodies that no row of the queue refers to, as after the deletion of an account. */
export const deleteUnusedBodies = async (db: Db): Promise<void> => {
  await db
    .deleteFrom("bodies")
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom("queue").select("queue.id").whereRef("queue.body_id", "=", "bodies.id"))),
    )
    .execute();
};

/** Returns the files that bodies refer to. */
export const listBodyFiles = async (db: Db): Promise<ReadonlySet<string>> => {
  const rows = await db.selectFrom("bodies").where("file_key", "is not", null).select("id").execute();
  return new Set(rows.map(({ id }) => id));
};

/** Returns the bytes of a queued copy, which may be read several times. */
export type ReadCopy = () => Iterable<Buffer> | AsyncIterable<Buffer>;

type Part = Pick<Selectable<BodiesTable>, "part" | "skip" | "file_key">;

async function* readParts(
  db: Db,
  spool: Pick<SpoolFolder, "read">,
  id: string,
  parts: readonly Part[],
): AsyncIterable<Buffer> {
  for (const { part, file_key, skip } of parts) {
    if (file_key !== null) yield* skipBytes(spool.read({ id, key: file_key }), skip);
    else {
      const { content } = await db
        .selectFrom("bodies")
        .where("id", "=", id)
        .where("part", "=", part)
        .select("content")
        .executeTakeFirstOrThrow();
      if (content) yield asBuffer(content);
    }
  }
}

/** Finds the content of a queued copy; null when it no longer exists. Small content is read in one statement. */
export const findQueuedCopy = async (
  db: Db,
  spool: Pick<SpoolFolder, "read">,
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
    const small = await rows.select(["content", "file_key"]).execute();
    const chunks = small.flatMap(({ content }) => (content ? [asBuffer(content)] : []));
    if (chunks.length > 0 && small.every(({ file_key }) => file_key === null)) return () => chunks;
  }
  const parts = await rows.select(["part", "file_key", "skip"]).execute();
  return parts.length === 0 ? null : () => readParts(db, spool, bodyId, parts);
};
