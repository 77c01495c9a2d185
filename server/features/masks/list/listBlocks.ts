import { createHash } from "node:crypto";
import { type AnswerPart, createPart } from "../../../platform/answers/joinedAnswer.ts";
import { tagOf } from "../../../platform/answers/storedAnswer.ts";
import type { ListedMask } from "./listedMask.ts";

/**
 * Some masks that follow each other, with their JSON. Where a block ends depends on its masks alone, so equal lists consist
 * of equal blocks, and a change of a mask leaves all blocks but its own as they are.
 */
export interface ListBlock {
  readonly masks: readonly ListedMask[];
  /** The JSON of the masks, separated by commas. */
  readonly part: AnswerPart;
  readonly hash: Buffer;
}

const createBlock = (masks: readonly ListedMask[]): ListBlock => {
  const part = createPart(masks.map(({ text }) => text).join(","));
  return { masks, part, hash: createHash("sha256").update(part.plain).digest() };
};

/** Returns where the block that begins at `from` ends. */
const endOf = (masks: readonly ListedMask[], from: number): number => {
  let end = from + 1;
  while (end < masks.length && !masks[end - 1]?.endsBlock) end += 1;
  return end;
};

const isAt = (block: ListBlock, masks: readonly ListedMask[], from: number, end: number): boolean =>
  block.masks.length === end - from && block.masks.every((mask, n) => mask === masks[from + n]);

/** Divides masks into blocks; `known` blocks of the same masks are used again. */
export const toBlocks = (
  masks: readonly ListedMask[],
  known: readonly ListBlock[] = [],
): readonly ListBlock[] => {
  const knownByFirst = new Map(known.map((block) => [block.masks[0], block]));
  const blocks: ListBlock[] = [];
  for (let from = 0; from < masks.length; ) {
    const end = endOf(masks, from);
    const before = knownByFirst.get(masks[from]);
    blocks.push(before && isAt(before, masks, from, end) ? before : createBlock(masks.slice(from, end)));
    from = end;
  }
  return blocks;
};

type Masks = readonly ListedMask[];

const isNewer = (one: ListedMask, other: ListedMask): boolean =>
  one.created_at > other.created_at || (one.created_at === other.created_at && one.id > other.id);

/** Returns the index of the part in which a mask is, or would be. */
const placeOf = (parts: readonly Masks[], mask: ListedMask): number => {
  let from = 0;
  let until = Math.max(0, parts.length - 1);
  while (from < until) {
    const middle = Math.ceil((from + until) / 2);
    if (isNewer(mask, parts[middle]?.[0] as ListedMask)) until = middle - 1;
    else from = middle;
  }
  return from;
};

/** Puts a mask at its place, instead of what it was. */
const withMask = (masks: Masks, mask: ListedMask): Masks => {
  const others = masks.filter(({ id }) => id !== mask.id);
  const next = others.findIndex((other) => isNewer(mask, other));
  return others.toSpliced(next < 0 ? others.length : next, 0, mask);
};

const without = (parts: readonly Masks[], ids: ReadonlySet<string>): readonly Masks[] =>
  parts
    .map((masks) => (masks.some(({ id }) => ids.has(id)) ? masks.filter(({ id }) => !ids.has(id)) : masks))
    .filter((masks) => masks.length > 0);

/** The change of masks: their present state, and the ids of those that are gone. */
export interface ListChange {
  readonly changed: Masks;
  readonly gone: ReadonlySet<string>;
}

/**
 * Changes masks of a list that is divided from its newest mask to its oldest. Only the blocks of these masks are made
 * anew, so that changing one takes as long in a long list as in a short one.
 */
export const changeBlocks = (
  blocks: readonly ListBlock[],
  { changed, gone }: ListChange,
): readonly ListBlock[] => {
  const known = new Map(blocks.map((block) => [block.masks, block]));
  const before = blocks.map(({ masks }) => masks);
  const parts = [...(gone.size > 0 ? without(before, gone) : before)];
  for (const mask of changed) {
    const place = placeOf(parts, mask);
    parts[place] = withMask(parts[place] ?? [], mask);
  }
  const result: ListBlock[] = [];
  let open: Masks = [];
  for (const [n, masks] of parts.entries()) {
    const block = open.length === 0 ? known.get(masks) : undefined;
    if (block) result.push(block);
    else open = [...open, ...masks];
    const isClosed = open.at(-1)?.endsBlock || n === parts.length - 1;
    if (block || !isClosed) continue;
    result.push(...toBlocks(open));
    open = [];
  }
  return result;
};

/** Returns the version of a list. */
export const versionOfBlocks = (blocks: readonly ListBlock[]): string =>
  tagOf(Buffer.concat(blocks.map(({ hash }) => hash)));
