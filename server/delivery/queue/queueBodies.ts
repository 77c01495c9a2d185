import { spoolFileOf } from "../../platform/spool/arrivingContent.ts";
import type { MailContent } from "../../platform/spool/mailContent.ts";
import type { Database, Db } from "../../platform/store/database.ts";
import type { RowStatement } from "../../platform/store/engine.ts";
import { copyChunks, isInMemory, type OutgoingCopy, type SharedBody } from "../outgoingCopy.ts";
import { type BodyRow, contentRow, insertParts } from "./bodyRows.ts";
import type { BodyWriter, NewContent } from "./bodyStore.ts";

/** The place where the content of a queued copy is stored. */
export interface BodyReference {
  /** null when the row of the queue contains everything. */
  readonly bodyId: string | null;
  readonly bodyHead: number;
}

/** The bodies to store for copies, and each copy's reference to them. */
export interface NewBodies {
  readonly references: readonly BodyReference[];
  /** The beginnings of copies that share a body. */
  readonly rows: readonly BodyRow[];
  /** The contents to write before the rows are stored. */
  readonly contents: readonly NewContent[];
}

/**
 * Returns what stores copies, with shared content once; a mail of one copy in memory is one content. `newId` names a
 * body that is not a file.
 */
export const bodiesOf = (
  copies: readonly OutgoingCopy[],
  newId: () => string,
  { keepsSpoolFiles }: Pick<BodyWriter, "keepsSpoolFiles">,
): NewBodies => {
  const counts = new Map<MailContent, number>();
  for (const { body } of copies) if (body) counts.set(body.content, (counts.get(body.content) ?? 0) + 1);
  const isShared = ({ content }: SharedBody): boolean => !isInMemory(content) || counts.get(content) !== 1;
  const shared = new Map<MailContent, { readonly id: string; heads: number }>();
  const references: BodyReference[] = [];
  const rows: BodyRow[] = [];
  const contents: NewContent[] = [];

  const share = (body: SharedBody) => {
    const { content, skip } = body;
    const known = shared.get(content);
    if (known) return known;
    const id = (keepsSpoolFiles && spoolFileOf(content)?.id) || newId();
    const created = { id, heads: 0 };
    shared.set(content, created);
    contents.push(
      isInMemory(content) ? { id, pieces: [content.head.subarray(skip)] } : { id, spooled: body },
    );
    return created;
  };

  for (const copy of copies) {
    const { head, body } = copy;
    if (body && isShared(body)) {
      const to = share(body);
      to.heads += 1;
      rows.push(contentRow(to.id, -to.heads, head));
      references.push({ bodyId: to.id, bodyHead: -to.heads });
    } else {
      const id = newId();
      contents.push({ id, pieces: [...(copyChunks(copy) as Iterable<Buffer>)] });
      references.push({ bodyId: id, bodyHead: 0 });
    }
  }
  return { references, rows, contents };
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

/** The subquery is asked for each body: PostgreSQL would read the whole index for a join with few of them. */
const deleteParts: RowStatement = {
  columns: { id: "text" },
  text: (rows) =>
    `delete from bodies where id in (select given.id from ${rows})
     and (select 1 from queue where queue.body_id = bodies.id limit 1) is null
     returning id, case when segment is null then file_key end as file_key`,
};

/**
 * Deletes those of the bodies that no row of the queue refers to; returns those with content elsewhere, to remove after
 * the commit. `shared` are those that several copies refer to: all, unless the caller knows.
 */
export const deleteBodies = async (
  { engine }: Pick<Database, "engine">,
  db: Db,
  ids: readonly string[],
  shared = ids,
): Promise<readonly string[]> => {
  if (ids.length === 0) return [];
  const toRows = (some: readonly string[]) => [...new Set(some)].map((id) => [id]);
  // NOTE: without this lock two processes that finish the last two copies each see the other's as waiting, and nobody deletes the
  // body. SQLite has one writer.
  if (engine.name === "postgresql") await engine.runRows(db, lockParts, toRows(shared));
  const deleted = await engine.runRows<{ id: string; file_key: string | null }>(db, deleteParts, toRows(ids));
  return deleted.filter(({ file_key }) => file_key !== null).map(({ id }) => id);
};

/** True if other copies may refer to the body: one of a single copy begins with its head. */
export const isSharedBody = ({ bodyHead }: Pick<BodyReference, "bodyHead">): boolean => bodyHead !== 0;

/** Deletes all bodies that no row of the queue refers to, as after the deletion of an account. */
export const deleteUnusedBodies = async (db: Db): Promise<void> => {
  await db
    .deleteFrom("bodies")
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom("queue").select("queue.id").whereRef("queue.body_id", "=", "bodies.id"))),
    )
    .execute();
};

/** Returns which of the files or objects bodies refer to. */
export const findBodyFiles = async (db: Db, files: readonly string[]): Promise<ReadonlySet<string>> => {
  const rows = await db.selectFrom("bodies").where("id", "in", files).select("id").execute();
  return new Set(rows.map(({ id }) => id));
};
