import { spoolFileOf } from "../../platform/spool/arrivingContent.ts";
import type { MailContent } from "../../platform/spool/mailContent.ts";
import type { ContentPlace, Segments } from "../../platform/spool/segments.ts";
import type { Database, Db } from "../../platform/store/database.ts";
import type { RowStatement, SqlValue } from "../../platform/store/engine.ts";
import { copyChunks, isInMemory, type OutgoingCopy, type SharedBody, skipBytes } from "../outgoingCopy.ts";

/** Where the content of a queued copy is stored. */
export interface BodyReference {
  /** null when the row of the queue contains everything. */
  readonly bodyId: string | null;
  readonly bodyHead: number;
}

/** Content in memory that goes to a segment before its row is stored. */
interface UnplacedContent {
  readonly id: string;
  readonly part: number;
  readonly chunks: readonly Buffer[];
}

/** The rows with the content of copies, and each copy's reference to them. */
export interface NewBodies {
  readonly references: readonly BodyReference[];
  readonly rows: readonly BodyRow[];
  readonly unplaced: readonly UnplacedContent[];
}

/** The values of a row in the order of `insertParts`. */
export type BodyRow = readonly SqlValue[];

const insertParts: RowStatement = {
  columns: {
    id: "text",
    part: "bigint",
    content: "bytea",
    file_key: "text",
    skip: "bigint",
    segment: "text",
    segment_start: "bigint",
    segment_length: "bigint",
  },
  text: (rows) =>
    `insert into bodies (id, part, content, file_key, skip, segment, segment_start, segment_length)
     select given.id, given.part, given.content, given.file_key, given.skip, given.segment, given.segment_start,
       given.segment_length
     from ${rows}`,
};

const contentRow = (id: string, part: number, content: Uint8Array): BodyRow => [
  id,
  part,
  content,
  null,
  0,
  null,
  null,
  null,
];

const fileRow = (id: string, key: string, skip: number): BodyRow => [
  id,
  0,
  null,
  key,
  skip,
  null,
  null,
  null,
];

/** The row of content that is in a segment. */
const placedRow = ({ id, part }: UnplacedContent, { segment, start, length, key }: ContentPlace): BodyRow => [
  id,
  part,
  null,
  key,
  0,
  segment,
  start,
  length,
];

/** Returns the rows of a shared body that is not in memory: its file, or its chunks. */
const spooledRows = async (
  id: string,
  { content, skip }: SharedBody,
  isFileDurable: boolean,
): Promise<BodyRow[]> => {
  const file = spoolFileOf(content);
  if (file && isFileDurable) return [fileRow(id, file.key, skip)];
  const rows: BodyRow[] = [];
  for await (const chunk of skipBytes(content.chunks(), skip)) rows.push(contentRow(id, rows.length, chunk));
  return rows;
};

/**
 * Returns what stores copies, with shared content once; a mail of one copy in memory is one row. `newId` names a
 * body that is not a file. With `isSpoolDurable` bodies in memory are left to `placeContents`.
 */
export const bodiesOf = async (
  copies: readonly OutgoingCopy[],
  newId: () => string,
  isSpoolDurable: boolean,
): Promise<NewBodies> => {
  const counts = new Map<MailContent, number>();
  for (const { body } of copies) if (body) counts.set(body.content, (counts.get(body.content) ?? 0) + 1);
  const isShared = ({ content }: SharedBody): boolean => !isInMemory(content) || counts.get(content) !== 1;
  const shared = new Map<MailContent, { readonly id: string; heads: number }>();
  const references: BodyReference[] = [];
  const rows: BodyRow[] = [];
  const unplaced: UnplacedContent[] = [];

  const add = (id: string, chunks: readonly Buffer[]): void => {
    if (isSpoolDurable) unplaced.push({ id, part: 0, chunks });
    else rows.push(contentRow(id, 0, chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
  };

  const share = async (body: SharedBody) => {
    const { content, skip } = body;
    const known = shared.get(content);
    if (known) return known;
    const id = (isSpoolDurable && spoolFileOf(content)?.id) || newId();
    const created = { id, heads: 0 };
    shared.set(content, created);
    if (isInMemory(content)) add(id, [content.head.subarray(skip)]);
    else rows.push(...(await spooledRows(id, body, isSpoolDurable)));
    return created;
  };

  for (const copy of copies) {
    const { head, body } = copy;
    if (body && isShared(body)) {
      const to = await share(body);
      to.heads += 1;
      rows.push(contentRow(to.id, -to.heads, head));
      references.push({ bodyId: to.id, bodyHead: -to.heads });
    } else {
      const id = newId();
      add(id, [...(copyChunks(copy) as Iterable<Buffer>)]);
      references.push({ bodyId: id, bodyHead: 0 });
    }
  }
  return { references, rows, unplaced };
};

/** The rows of contents that are on the disk. */
export interface PlacedBodies {
  readonly rows: readonly BodyRow[];
  /** Called when the rows are stored, or will not be. */
  readonly release: () => void;
}

/** Writes contents to a segment, all with one sync. */
export const placeContents = async (
  segments: Pick<Segments, "store">,
  unplaced: readonly UnplacedContent[],
): Promise<PlacedBodies> => {
  const { places, release } = await segments.store(unplaced.map(({ chunks }) => chunks));
  const rows = unplaced.flatMap((content, n) => {
    const place = places[n];
    return place ? [placedRow(content, place)] : [];
  });
  return { rows, release };
};

export const insertBodies = async (
  { engine }: Pick<Database, "engine">,
  db: Db,
  rows: readonly BodyRow[],
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
     and not exists (select 1 from queue where queue.body_id = bodies.id)
     returning id, case when segment is null then file_key end as file_key`,
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

/** Returns which of the files bodies refer to. */
export const findBodyFiles = async (db: Db, files: readonly string[]): Promise<ReadonlySet<string>> => {
  const rows = await db.selectFrom("bodies").where("id", "in", files).select("id").execute();
  return new Set(rows.map(({ id }) => id));
};
