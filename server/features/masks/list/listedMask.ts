import { crc32 } from "node:zlib";
import type { SenderLists } from "../../senders/senderLists.ts";
import { type FullMask, toMask } from "../maskQueries.ts";

/** A mask of a list with its JSON. */
export interface ListedMask extends Pick<FullMask, "id" | "created_at"> {
  readonly text: string;
  /** True if a block of a long list ends with the mask, wherever it is in the list. */
  readonly endsBlock: boolean;
}

/** Encodes the mask of a row. */
export type EncodeMask = (row: FullMask) => ListedMask;

/** One mask of so many ends a block. */
const meanBlockSize = 100;

/**
 * Creates the function that encodes masks. The codec of masks changes nothing on the way out, but takes as long as writing
 * the JSON; so the JSON is that of the mask itself.
 */
export const createEncodeMask =
  (senderLists: Pick<SenderLists, "open">): EncodeMask =>
  (row) => ({
    id: row.id,
    created_at: row.created_at,
    text: JSON.stringify(toMask(row, senderLists)),
    endsBlock: crc32(row.id) % meanBlockSize === 0,
  });
