import { Mask } from "../../core/masks/mask.ts";
import { type FullMask, toMask } from "./maskQueries.ts";

/** The maximum number of cached masks; one takes about 1 kB. */
const maxMasks = 20_000;

const isSameRow = (one: FullMask, other: FullMask): boolean =>
  (Object.keys(other) as (keyof FullMask)[]).every((column) => one[column] === other[column]);

/** Caches masks as clients receive them; a mask is converted again only when its row has changed. */
export interface MaskCache {
  /** Returns the mask of a row: the same object while the row is the same. */
  readonly toMask: (row: FullMask) => Mask;
  /** Returns the body of the answer to GET /masks. */
  readonly encodeList: (masks: readonly Mask[]) => string;
}

/** Creates an empty cache, which drops the least recently used masks. */
export const createMaskCache = (): MaskCache => {
  const known = new Map<string, { readonly row: FullMask; readonly mask: Mask }>();
  const texts = new WeakMap<Mask, string>();
  /** The last encoded list by its first mask. */
  const lists = new WeakMap<Mask, { readonly masks: readonly Mask[]; readonly text: string }>();
  const remember = (row: FullMask, mask: Mask): Mask => {
    known.delete(row.id);
    known.set(row.id, { row, mask });
    const oldest = known.size > maxMasks ? known.keys().next().value : undefined;
    if (oldest !== undefined) known.delete(oldest);
    return mask;
  };
  const encode = (mask: Mask): string => {
    const text = texts.get(mask) ?? JSON.stringify(Mask.encode(mask));
    texts.set(mask, text);
    return text;
  };
  return {
    toMask: (row) => {
      const before = known.get(row.id);
      return remember(row, before !== undefined && isSameRow(before.row, row) ? before.mask : toMask(row));
    },
    encodeList: (masks) => {
      const [first] = masks;
      const last = first && lists.get(first);
      if (last?.masks.length === masks.length && masks.every((mask, at) => mask === last.masks[at]))
        return last.text;
      const text = `{"masks":[${masks.map(encode).join(",")}]}`;
      if (first) lists.set(first, { masks, text });
      return text;
    },
  };
};
