import { setImmediate as afterPendingInput } from "node:timers/promises";
import type { OutdatedValue } from "../../../platform/store/userCache.ts";
import type { FindMaskPage, FullMask, MaskPage } from "../maskQueries.ts";
import { changeBlocks, type ListBlock, toBlocks } from "./listBlocks.ts";
import type { EncodeMask, ListedMask } from "./listedMask.ts";

/** The masks that are read at once; other requests and mails are served between two parts of a long list. */
export const partSize = 200;

interface WholeListDeps {
  readonly encode: EncodeMask;
  readonly findMaskPage: FindMaskPage;
  readonly findMask: (userId: string, id: string) => Promise<FullMask | undefined>;
}

/** Resources whose changes show in no mask. */
const apart = new Set(["log", "notifications", "insights", "session"]);

/** Returns the ids of the masks that have changed; null when all of them may have. */
const changedMasks = (changes: OutdatedValue<unknown>["changes"]): ReadonlySet<string> | null => {
  const ids = new Set<string>();
  for (const { resource, resourceId } of changes) {
    if (apart.has(resource)) continue;
    if (resourceId === null || !["masks", "rules"].includes(resource)) return null;
    ids.add(resourceId);
  }
  return ids;
};

/**
 * Creates the function that returns all masks of a user with their JSON, newest first. Of a list that is out of date only
 * the masks that have changed are read again.
 */
export const createReadWholeList = ({ findMaskPage, findMask, encode }: WholeListDeps) => {
  const readAll = async (userId: string): Promise<readonly ListBlock[]> => {
    const blocks: ListBlock[] = [];
    let rest: readonly ListedMask[] = [];
    for (let after: MaskPage["after"] = null; ; ) {
      const rows = await findMaskPage(userId, { after, limit: partSize });
      const masks = [...rest, ...rows.map(encode)];
      const isLast = rows.length < partSize;
      const end = isLast ? masks.length : masks.findLastIndex(({ endsBlock }) => endsBlock) + 1;
      const complete = toBlocks(masks.slice(0, end));
      blocks.push(...complete);
      if (isLast) return blocks;
      // A long list is compressed while its later parts are read.
      for (const { part } of complete) void part.deflated();
      rest = masks.slice(end);
      after = rows.at(-1) ?? null;
      await afterPendingInput();
    }
  };

  return async (
    userId: string,
    outdated?: OutdatedValue<readonly ListBlock[]>,
  ): Promise<readonly ListBlock[]> => {
    const changed = outdated ? changedMasks(outdated.changes) : null;
    if (!outdated || !changed) return readAll(userId);
    const now: ListedMask[] = [];
    const gone = new Set<string>();
    for (const id of changed) {
      const row = await findMask(userId, id);
      if (row) now.push(encode(row));
      else gone.add(id);
    }
    return changeBlocks(outdated.value, { changed: now, gone });
  };
};

export type ReadWholeList = ReturnType<typeof createReadWholeList>;
