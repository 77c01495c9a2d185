import { sql } from "kysely";
import { dayOf } from "../../../core/kernel/calendarDay.ts";
import type { Database, Db } from "../../platform/store/database.ts";
import type { RowStatement } from "../../platform/store/engine.ts";
import { addCounts } from "./countQueries.ts";
import { countsOf, type MailFacts, recentMailOf } from "./mailFacts.ts";
import { addRecentMails } from "./recentMailQueries.ts";

/** The mails of one commit: when they arrived, and their facts as JSON, one per line. */
const insertNewMails: RowStatement = {
  columns: { at: "bigint", facts: "text" },
  text: (rows) => `insert into new_mails (at, facts) select given.at, given.facts from ${rows}`,
};

/** Records mails in their transaction; they are counted soon, and at the latest when figures are read. */
export const recordNewMails = async (
  { engine }: Pick<Database, "engine">,
  db: Db,
  mails: readonly MailFacts[],
  now: number,
): Promise<void> => {
  const facts = mails.map((mail) => JSON.stringify(mail)).join("\n");
  if (mails.length > 0) await engine.runRows(db, insertNewMails, [[now, facts]]);
};

/** Commits that are counted in one transaction. */
const batchSize = 50;

/** Two processes never take the same rows. */
const takeNewMails = async ({ engine }: Pick<Database, "engine">, db: Db) => {
  const oldest = db.selectFrom("new_mails").orderBy("id").limit(batchSize).select("id");
  const rows = await db
    .deleteFrom("new_mails")
    .where("id", "in", engine.name === "postgresql" ? oldest.forUpdate() : oldest)
    .returning(["id", "at", "facts"])
    .execute();
  return rows
    .toSorted((one, other) => one.id - other.id)
    .flatMap(({ at, facts }) => facts.split("\n").map((line) => ({ at: Number(at), line })));
};

/** Masks and accounts may have been deleted since. */
const listExisting = async (
  { engine }: Pick<Database, "engine">,
  db: Db,
  mails: readonly MailFacts[],
): Promise<ReadonlySet<string>> => {
  const ids = JSON.stringify([...new Set(mails.map(({ maskId }) => maskId))].map((id) => [id]));
  const { rows } = await sql<{ id: string }>`
    select id from masks where id in (select each.value ->> 0 from ${engine.jsonRows(ids)})
  `.execute(db);
  return new Set(rows.map(({ id }) => id));
};

/** Counts the oldest new mails in the caller's transaction. */
const countBatch = async (database: Pick<Database, "engine">, db: Db): Promise<void> => {
  const mails = await takeNewMails(database, db);
  if (mails.length === 0) return;
  const equal = new Map<string, { readonly facts: MailFacts; n: number; at: number }>();
  const listed = mails.map(({ at, line }) => {
    const key = `${dayOf(at)} ${line}`;
    const known = equal.get(key);
    const entry = known ?? { facts: JSON.parse(line) as MailFacts, n: 0, at };
    if (!known) equal.set(key, entry);
    entry.n += 1;
    entry.at = Math.max(entry.at, at);
    return recentMailOf(entry.facts, at);
  });
  const entries = [...equal.values()];
  const existing = await listExisting(
    database,
    db,
    entries.map(({ facts }) => facts),
  );
  const counts = entries.flatMap(({ facts, n, at }) =>
    existing.has(facts.maskId) ? countsOf(facts, n, at) : [],
  );
  await addCounts(db, database.engine, counts, 0);
  await addRecentMails(
    db,
    database.engine,
    listed.filter(({ maskId }) => existing.has(maskId)),
  );
};

/** True if there are mails that are not counted yet. */
export const hasNewMails = async (db: Db): Promise<boolean> =>
  (await db.selectFrom("new_mails").select("id").limit(1).executeTakeFirst()) !== undefined;

/** Counts all new mails in the caller's transaction. */
export const countNewMailsWithin = async (database: Pick<Database, "engine">, db: Db): Promise<void> => {
  while (await hasNewMails(db)) await countBatch(database, db);
};

const afterOtherWork = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Counts all new mails, in short transactions; call it before figures are read. */
export const countNewMails = async (database: Database): Promise<void> => {
  while (await hasNewMails(database.db)) {
    await database.transaction((db) => countBatch(database, db));
    await afterOtherWork();
  }
};
