import type { BackupRow, ReplaceRow } from "../../platform/backup/writeBackup.ts";
import type { Db } from "../../platform/store/database.ts";
import { skipBytes, toBuffer } from "../outgoingCopy.ts";
import { partColumns } from "./bodyRows.ts";
import { type BodyReader, BodyUnavailable } from "./bodyStore.ts";

/** Bytes of a row that a backup has. */
const rowBytes = 256 * 1024;

/** Splits content into rows of a body, whose other columns are those of `row`. */
function* rowsOf(row: BackupRow, content: Buffer): Iterable<BackupRow> {
  for (let at = 0; at === 0 || at < content.length; at += rowBytes)
    yield new Map([
      ...row,
      ["part", at / rowBytes],
      ["content", content.subarray(at, at + rowBytes)],
      ["file_key", null],
    ]);
}

/** The functions that put the content of queued mail into a backup. */
export interface BackupBodies {
  readonly replaceRow: ReplaceRow;
  /** Returns the number of bodies that were not there any more, or damaged: the backup has no content of their mails. */
  readonly missing: () => number;
}

/** Returns the content of a body; null when it is gone, as after a delivery meanwhile, or damaged. */
const readIfWhole = async ({ read }: BodyReader, id: string, key: string): Promise<Buffer | null> => {
  const part = { part: 0, skip: 0, file_key: key, segment: null, segment_start: null, segment_length: null };
  try {
    return await toBuffer(read(id, part));
  } catch (error) {
    if (error instanceof BodyUnavailable && error.isDamaged) return null;
    throw error;
  }
};

/** Creates what reads bodies outside of the database into a backup, as rows that any database can restore. */
export const createBackupBodies = (bodies: BodyReader): BackupBodies => {
  let missing = 0;
  const replace = async function* (row: BackupRow, id: string, key: string): AsyncIterable<BackupRow> {
    const content = await readIfWhole(bodies, id, key);
    if (content === null) {
      missing += 1;
      return;
    }
    yield* rowsOf(row, content);
  };
  return {
    replaceRow: (table, row) => {
      const id = row.get("id");
      const key = row.get("file_key");
      return table === "bodies" && typeof id === "string" && typeof key === "string"
        ? replace(row, id, key)
        : null;
    },
    missing: () => missing,
  };
};

/** Moves bodies from the files of a restored data folder to their rows, where other processes find them too. */
export const moveBodiesToRows = async (db: Db, bodies: BodyReader): Promise<void> => {
  for (;;) {
    const row = await db
      .selectFrom("bodies")
      .where("file_key", "is not", null)
      .select(["id", ...partColumns])
      .executeTakeFirst();
    if (!row) return;
    const { id, ...part } = row;
    const content = await toBuffer(skipBytes(bodies.read(id, part), part.skip));
    await db.transaction().execute(async (tx) => {
      await tx.deleteFrom("bodies").where("id", "=", id).where("part", "=", part.part).execute();
      for (let at = 0; at === 0 || at < content.length; at += rowBytes)
        await tx
          .insertInto("bodies")
          .values({ id, part: part.part + at / rowBytes, content: content.subarray(at, at + rowBytes) })
          .execute();
    });
  }
};
