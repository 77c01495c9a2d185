import { setImmediate as afterPendingInput } from "node:timers/promises";
import { type StoredAnswer, storeAnswer, tagOf } from "../http/conditionalAnswer.ts";
import { fieldError } from "../http/httpError.ts";
import type { Database } from "../store/database.ts";
import { isId } from "../store/id.ts";
import { createUserCache } from "../store/userCache.ts";
import { createMaskCache } from "./maskCache.ts";
import { type FullMask, findMask, findMaskPage, type MaskPage } from "./maskQueries.ts";

/** The maximum size of the cached lists in bytes. */
const maxCachedBytes = 32_000_000;

/** The masks that are read at once; other requests and mails are served between two parts of a long list. */
const partSize = 250;

/** The greatest number of masks of one page. */
const maxPageSize = 1_000;

/** A page that a client asks for: `limit` masks, or all, that follow the mask `after`, newest first. */
export interface MaskListQuery {
  readonly after?: string | undefined;
  readonly limit?: string | undefined;
}

/** Returns the encoded answer to GET /masks; rejects with 400 when the page does not exist. */
export type ListMasks = (userId: string, query: MaskListQuery) => Promise<StoredAnswer>;

const parseLimit = (text: string | undefined): number => {
  if (text === undefined) return Number.POSITIVE_INFINITY;
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= maxPageSize) return limit;
  throw fieldError(400, "limit", `The limit must be a number from 1 to ${maxPageSize}.`);
};

/** Creates the function that lists masks. A list is encoded again only after a change of the user's data. */
export const createListMasks = (database: Database): ListMasks => {
  const { encode } = createMaskCache();
  const lists = createUserCache<StoredAnswer>(database, {
    maxWeight: maxCachedBytes,
    weightOf: ({ plain }) => plain.length,
  });

  const findAfter = async (userId: string, after: string | undefined): Promise<MaskPage["after"]> => {
    if (after === undefined) return null;
    const mask = isId(after) ? await findMask(database.db, userId, after) : undefined;
    if (mask) return mask;
    throw fieldError(400, "after", "There is no such mask any more. Please load the list again.");
  };

  const read = async (userId: string, query: MaskListQuery): Promise<StoredAnswer> => {
    const limit = parseLimit(query.limit);
    const texts: string[] = [];
    let last = await findAfter(userId, query.after);
    // One more than the page has tells whether another one follows.
    for (let wanted = limit + 1; wanted > 0; ) {
      const part: FullMask[] = await findMaskPage(database.db, userId, {
        after: last,
        limit: Math.min(wanted, partSize),
      });
      for (const row of part) texts.push(encode(row));
      wanted -= part.length;
      if (part.length < partSize) break;
      last = part.at(-1) ?? last;
      await afterPendingInput();
    }
    const isMore = texts.length > limit;
    const masks = texts.slice(0, limit).join(",");
    if (isMore || query.after !== undefined)
      return storeAnswer(`{"masks":[${masks}]${isMore ? `,"isMore":true` : ""}}`);
    const version = tagOf(masks);
    return storeAnswer(`{"masks":[${masks}],"version":"${version}"}`, version);
  };

  return async (userId, query) => {
    const key = [userId, query.after, query.limit].join(" ");
    const list = await lists.get(key, async () => ({ userId, value: await read(userId, query) }));
    if (!list) throw new Error("a list of masks was not read");
    return list;
  };
};
