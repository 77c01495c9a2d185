import { crc32 } from "node:zlib";
import { type FullMask, toMask } from "./maskQueries.ts";
import type { SenderLists } from "./senderLists.ts";

/** A mask of a list with its JSON. */
export interface ListedMask extends Pick<FullMask, "id" | "created_at"> {
  readonly text: string;
  /** Whether a block of a long list ends with the mask, wherever it is in the list. */
  readonly endsBlock: boolean;
}

/** The maximum number of cached masks; one takes about 1 kB. */
const maxMasks = 20_000;

/** One mask of so many ends a block. */
const meanBlockSize = 100;

const isSameRow = (one: FullMask, other: FullMask): boolean =>
  (Object.keys(other) as (keyof FullMask)[]).every((column) => one[column] === other[column]);

/** Caches the JSON of masks; a mask is encoded again only when its row has changed. */
export interface MaskCache {
  /** Returns the mask of a row: the same object as before when its row has not changed. */
  readonly encode: (row: FullMask) => ListedMask;
}

/**
 * Creates an empty cache, which drops the least recently used masks. The codec of masks changes nothing on the way out, but
 * takes as long as writing the JSON; so the JSON is that of the mask itself.
 */
export const createMaskCache = (senderLists: Pick<SenderLists, "open">): MaskCache => {
  const known = new Map<string, { readonly row: FullMask; readonly mask: ListedMask }>();
  const keep = (row: FullMask, mask: ListedMask): ListedMask => {
    known.delete(row.id);
    known.set(row.id, { row, mask });
    const oldest = known.size > maxMasks ? known.keys().next().value : undefined;
    if (oldest !== undefined) known.delete(oldest);
    return mask;
  };
  const toListed = (row: FullMask): ListedMask => ({
    id: row.id,
    created_at: row.created_at,
    text: JSON.stringify(toMask(row, senderLists)),
    endsBlock: crc32(row.id) % meanBlockSize === 0,
  });
  return {
    encode: (row) => {
      const before = known.get(row.id);
      const isUnchanged = before !== undefined && isSameRow(before.row, row);
      return keep(row, isUnchanged ? before.mask : toListed(row));
    },
  };
};
