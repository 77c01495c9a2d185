import { setImmediate as afterPendingInput } from "node:timers/promises";
import type { OutdatedValue } from "../store/userCache.ts";
import type { FindMaskPage, FullMask, MaskPage } from "./maskQueries.ts";

/** A mask of a list with its JSON. */
export interface ListedMask extends Pick<FullMask, "id" | "created_at"> {
  readonly text: string;
}

/** The masks that are read at once; other requests and mails are served between two parts of a long list. */
export const partSize = 50;

interface WholeListDeps {
  readonly findMaskPage: FindMaskPage;
  readonly findMask: (userId: string, id: string) => Promise<FullMask | undefined>;
  /** Returns the JSON of a mask. */
  readonly encode: (row: FullMask) => string;
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

const isNewer = (one: ListedMask, other: ListedMask): boolean =>
  one.created_at > other.created_at || (one.created_at === other.created_at && one.id > other.id);

/** Returns a list, newest first, with another mask. */
const insert = (list: readonly ListedMask[], mask: ListedMask): readonly ListedMask[] => {
  const at = list.findIndex((one) => isNewer(mask, one));
  return list.toSpliced(at < 0 ? list.length : at, 0, mask);
};

/**
 * Creates the function that returns all masks of a user with their JSON, newest first. Of a list that is out of date only
 * the masks that have changed are read again.
 */
export const createReadWholeList = ({ findMaskPage, findMask, encode }: WholeListDeps) => {
  const toListed = (row: FullMask): ListedMask => ({
    id: row.id,
    created_at: row.created_at,
    text: encode(row),
  });

  const readAll = async (userId: string): Promise<readonly ListedMask[]> => {
    const all: ListedMask[] = [];
    for (let after: MaskPage["after"] = null; ; ) {
      const part = await findMaskPage(userId, { after, limit: partSize });
      for (const row of part) all.push(toListed(row));
      after = part.at(-1) ?? null;
      if (part.length < partSize) return all;
      await afterPendingInput();
    }
  };

  return async (
    userId: string,
    outdated?: OutdatedValue<readonly ListedMask[]>,
  ): Promise<readonly ListedMask[]> => {
    const changed = outdated ? changedMasks(outdated.changes) : null;
    if (!outdated || !changed) return readAll(userId);
    let list: readonly ListedMask[] = outdated.value.filter(({ id }) => !changed.has(id));
    for (const id of changed) {
      const row = await findMask(userId, id);
      if (row) list = insert(list, toListed(row));
    }
    return list;
  };
};
