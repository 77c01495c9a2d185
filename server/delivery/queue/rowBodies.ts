import { type SharedBody, skipBytes } from "../outgoingCopy.ts";
import { type BodyRow, contentRow } from "./bodyRows.ts";
import { type BodyStore, BodyUnavailable, type NewContent, nothingWritten } from "./bodyStore.ts";

/** Returns the row of content in memory. */
export const rowOfPieces = (id: string, pieces: readonly Buffer[]): BodyRow => {
  const [only] = pieces;
  return contentRow(id, 0, pieces.length === 1 && only ? only : Buffer.concat(pieces));
};

/** Returns a row for each chunk of content in the spool. */
export const rowsOfChunks = async (id: string, { content, skip }: SharedBody): Promise<BodyRow[]> => {
  const rows: BodyRow[] = [];
  for await (const chunk of skipBytes(content.chunks(), skip)) rows.push(contentRow(id, rows.length, chunk));
  return rows;
};

const rowsOf = async (content: NewContent): Promise<readonly BodyRow[]> =>
  "pieces" in content ? [rowOfPieces(content.id, content.pieces)] : rowsOfChunks(content.id, content.spooled);

/** Bodies that are rows of the database, for several processes without anything else in common. */
export const rowBodies: BodyStore = {
  keepsSpoolFiles: false,
  sharesWrite: () => false,
  write: async (contents) => {
    const rows: BodyRow[] = [];
    for (const content of contents) rows.push(...(await rowsOf(content)));
    return { ...nothingWritten, rows };
  },
  // biome-ignore lint/correctness/useYield: it has nothing to yield.
  read: async function* () {
    throw new BodyUnavailable(
      "The content of a queued mail is neither in the database nor where BODY_STORE is.",
      {
        isDamaged: false,
      },
    );
  },
  remove: async () => {},
  sweep: async () => {},
};
