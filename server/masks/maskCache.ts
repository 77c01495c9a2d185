import { type FullMask, toMask } from "./maskQueries.ts";
import type { SenderLists } from "./senderLists.ts";

/** The maximum number of cached masks; one takes about 1 kB. */
const maxMasks = 20_000;

const isSameRow = (one: FullMask, other: FullMask): boolean =>
  (Object.keys(other) as (keyof FullMask)[]).every((column) => one[column] === other[column]);

/** Caches the JSON of masks; a mask is encoded again only when its row has changed. */
export interface MaskCache {
  /** Returns the JSON of the mask of a row. */
  readonly encode: (row: FullMask) => string;
}

/**
 * Creates an empty cache, which drops the least recently used masks. The codec of masks changes nothing on the way out, but
 * takes as long as writing the JSON; so the JSON is that of the mask itself.
 */
export const createMaskCache = (senderLists: Pick<SenderLists, "open">): MaskCache => {
  const known = new Map<string, { readonly row: FullMask; readonly text: string }>();
  const keep = (row: FullMask, text: string): string => {
    known.delete(row.id);
    known.set(row.id, { row, text });
    const oldest = known.size > maxMasks ? known.keys().next().value : undefined;
    if (oldest !== undefined) known.delete(oldest);
    return text;
  };
  return {
    encode: (row) => {
      const before = known.get(row.id);
      const isUnchanged = before !== undefined && isSameRow(before.row, row);
      return keep(row, isUnchanged ? before.text : JSON.stringify(toMask(row, senderLists)));
    },
  };
};
