import { spoolFileOf } from "../../platform/spool/arrivingContent.ts";
import type { Segments } from "../../platform/spool/segments.ts";
import type { SpoolFile, SpoolFolder } from "../../platform/spool/spoolFile.ts";
import type { Database } from "../../platform/store/database.ts";
import { type BodyRow, outsideRow, placedRow, placeOf } from "./bodyRows.ts";
import { type BodyStore, type NewContent, nothingWritten, type WrittenBodies } from "./bodyStore.ts";
import { findBodyFiles } from "./queueBodies.ts";
import { rowBodies, rowsOfChunks } from "./rowBodies.ts";
import { createSegmentSweep } from "./segmentSweep.ts";

type InMemory = Extract<NewContent, { readonly pieces: unknown }>;

const isInMemory = (content: NewContent): content is InMemory => "pieces" in content;

/** Writes contents to a segment, all with one sync. */
const writeSegment = async (
  segments: Pick<Segments, "store">,
  contents: readonly InMemory[],
): Promise<WrittenBodies> => {
  if (contents.length === 0) return { ...nothingWritten, rows: [] };
  const { places, release } = await segments.store(contents.map(({ pieces }) => pieces));
  const rows = contents.flatMap(({ id }, n) => {
    const place = places[n];
    return place ? [placedRow(id, place)] : [];
  });
  return { ...nothingWritten, rows, release };
};

/** Keeps files of the spool. */
const keepFiles = async (
  contents: readonly NewContent[],
): Promise<Pick<WrittenBodies, "rows" | "discard">> => {
  const rows: BodyRow[] = [];
  const files: SpoolFile[] = [];
  for (const content of contents) {
    if (isInMemory(content)) continue;
    const { id, spooled } = content;
    const file = spoolFileOf(spooled.content);
    await file?.persist();
    if (file) files.push(file);
    rows.push(...(file ? [outsideRow(id, file.key, spooled.skip)] : await rowsOfChunks(id, spooled)));
  }
  return {
    rows,
    discard: () => {
      for (const file of files) file.forget();
    },
  };
};

/**
 * Creates the bodies of one process with a data folder of its own: small ones in segments that many share, large ones
 * in the files of the spool that they arrived in, all encrypted with keys in their rows. Where files do not outlive the
 * process, bodies are rows.
 */
export const createFileBodies = (
  database: Pick<Database, "db" | "transaction">,
  spool: SpoolFolder,
): BodyStore => {
  const { segments } = spool;
  if (!segments) return rowBodies;
  const sweepSegments = createSegmentSweep(database, spool);
  let hasSwept = false;
  return {
    keepsSpoolFiles: true,
    sharesWrite: isInMemory,
    write: async (contents) => {
      const files = await keepFiles(contents);
      const placed = await writeSegment(segments, contents.filter(isInMemory));
      return { ...placed, rows: [...files.rows, ...placed.rows], discard: files.discard };
    },
    read: (id, part) => {
      const place = placeOf(part);
      if (!place) return spool.read({ id, key: part.file_key ?? "" });
      return (async function* () {
        yield await segments.read(place);
      })();
    },
    remove: async (ids) => {
      for (const id of ids) await spool.remove(id);
    },
    sweep: async () => {
      await spool.sweep((files) => findBodyFiles(database.db, files));
      // What waits at the start is mostly sent before it would have to move.
      if (hasSwept) await sweepSegments();
      hasSwept = true;
    },
  };
};
