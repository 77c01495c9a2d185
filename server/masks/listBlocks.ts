import { createHash } from "node:crypto";
import { tagOf } from "../http/conditionalAnswer.ts";
import { type AnswerPart, createPart } from "../http/joinedAnswer.ts";
import type { ListedMask } from "./maskCache.ts";

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

/** Returns the version of a list. */
export const versionOfBlocks = (blocks: readonly ListBlock[]): string =>
  tagOf(Buffer.concat(blocks.map(({ hash }) => hash)));
