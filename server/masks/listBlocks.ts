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

const isOf = ({ masks }: ListBlock, others: readonly ListedMask[]): boolean =>
  masks.length === others.length && masks.every((mask, n) => mask === others[n]);

/** Divides masks into blocks; `known` blocks of the same masks are used again. */
export const toBlocks = (
  masks: readonly ListedMask[],
  known: readonly ListBlock[] = [],
): readonly ListBlock[] => {
  const knownByFirst = new Map(known.map((block) => [block.masks[0], block]));
  const blocks: ListBlock[] = [];
  let from = 0;
  for (const [n, { endsBlock }] of masks.entries()) {
    if (!endsBlock && n < masks.length - 1) continue;
    const members = masks.slice(from, n + 1);
    const before = knownByFirst.get(members[0]);
    blocks.push(before && isOf(before, members) ? before : createBlock(members));
    from = n + 1;
  }
  return blocks;
};

/** Returns the version of a list. */
export const versionOfBlocks = (blocks: readonly ListBlock[]): string =>
  tagOf(Buffer.concat(blocks.map(({ hash }) => hash)));
