import { setImmediate as afterPendingInput } from "node:timers/promises";
import type { Mask } from "../../core/masks/mask.ts";
import { MaskSort, sortMasks } from "../../core/masks/maskListSettings.ts";
import { searchMasks } from "../../core/masks/maskSearch.ts";
import { type StoredAnswer, startTag, storeAnswer } from "../http/conditionalAnswer.ts";
import { fieldError, type HttpError } from "../http/httpError.ts";
import type { Database } from "../store/database.ts";
import { isId } from "../store/id.ts";
import { createUserCache } from "../store/userCache.ts";
import { createMaskCache } from "./maskCache.ts";
import { createFindMaskPage, findMask, type MaskPage } from "./maskQueries.ts";
import type { SenderLists } from "./senderLists.ts";

/** The maximum size of the cached lists in bytes. */
const maxCachedBytes = 32_000_000;

/** The masks that are read at once; other requests and mails are served between two parts of a long list. */
const partSize = 50;

/** The greatest number of masks of one page. */
const maxPageSize = 1_000;

/**
 * A page that a client asks for: `limit` masks, or all, that follow the mask `after`, in the order `sort`, of those that
 * match the search `q`.
 */
export interface MaskListQuery {
  readonly after?: string | undefined;
  readonly limit?: string | undefined;
  readonly sort?: string | undefined;
  readonly q?: string | undefined;
}

/** Returns the encoded answer to GET /masks; rejects with 400 when the page does not exist. */
export type ListMasks = (userId: string, query: MaskListQuery) => Promise<StoredAnswer>;

const noSuchMask = (): HttpError =>
  fieldError(400, "after", "There is no such mask any more. Please load the list again.");

const parseLimit = (text: string | undefined): number => {
  if (text === undefined) return Number.POSITIVE_INFINITY;
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= maxPageSize) return limit;
  throw fieldError(400, "limit", `The limit must be a number from 1 to ${maxPageSize}.`);
};

const parseSort = (text: string | undefined): MaskSort => {
  if (text === undefined) return "newest";
  if (MaskSort.is(text)) return text;
  throw fieldError(400, "sort", `Sort by one of ${Object.keys(MaskSort.keys).join(", ")}.`);
};

/** The most characters of a search. */
const maxSearch = 500;

const parseSearch = (text = ""): string => {
  if (text.length <= maxSearch) return text;
  throw fieldError(400, "q", `A search can have at most ${maxSearch} characters.`);
};

const isSearch = ({ sort, q }: MaskListQuery): boolean => sort !== undefined || q !== undefined;

/** Creates the function that lists masks. A list is encoded again only after a change of the user's data. */
export const createListMasks = (database: Database, senderLists: Pick<SenderLists, "open">): ListMasks => {
  const { encode } = createMaskCache(senderLists);
  const findMaskPage = createFindMaskPage(database);
  const lists = createUserCache<StoredAnswer>(database, {
    maxWeight: maxCachedBytes,
    weightOf: ({ plain }) => plain.length,
  });

  const findAfter = async (userId: string, after: string | undefined): Promise<MaskPage["after"]> => {
    if (after === undefined) return null;
    const mask = isId(after) ? await findMask(database.db, userId, after) : undefined;
    if (mask) return mask;
    throw noSuchMask();
  };

  /** Reads all masks in parts, newest first. */
  const readAll = async (userId: string): Promise<readonly Mask[]> => {
    const all: Mask[] = [];
    for (let after: MaskPage["after"] = null; ; ) {
      const part = await findMaskPage(userId, { after, limit: partSize });
      for (const row of part) all.push(JSON.parse(encode(row)) as Mask);
      after = part.at(-1) ?? null;
      if (part.length < partSize) return all;
      await afterPendingInput();
    }
  };

  /** Answers a query with an order or a search of its own, by what the app does with the whole list. */
  const search = async (userId: string, query: MaskListQuery): Promise<StoredAnswer> => {
    const limit = parseLimit(query.limit);
    const [sort, text] = [parseSort(query.sort), parseSearch(query.q)];
    const found = searchMasks(sortMasks(await readAll(userId), sort), text);
    const at = query.after === undefined ? -1 : found.findIndex(({ id }) => id === query.after);
    if (query.after !== undefined && at < 0) throw noSuchMask();
    const page = found.slice(at + 1, at + 1 + limit);
    return storeAnswer(
      JSON.stringify({ masks: page, ...(at + 1 + page.length < found.length && { isMore: true }) }),
    );
  };

  /** Encodes at most `limit` masks, part by part, so that no step of a long list holds up mail. */
  const encodeParts = async (
    userId: string,
    first: MaskPage["after"],
    limit: number,
  ): Promise<{ readonly parts: readonly Buffer[]; readonly isMore: boolean; readonly version: string }> => {
    const parts: Buffer[] = [];
    const tag = startTag();
    let last = first;
    // One more than the page has tells whether another one follows.
    for (let wanted = limit + 1; ; ) {
      const rows = await findMaskPage(userId, {
        after: last,
        limit: Math.min(wanted, partSize),
      });
      const texts = rows.slice(0, wanted - 1).map((row) => encode(row));
      if (texts.length > 0) {
        const part = Buffer.from((parts.length > 0 ? "," : "") + texts.join(","));
        tag.add(part);
        parts.push(part);
      }
      wanted -= rows.length;
      if (wanted <= 0 || rows.length < partSize) return { parts, isMore: wanted <= 0, version: tag.text() };
      last = rows.at(-1) ?? last;
      await afterPendingInput();
    }
  };

  const read = async (userId: string, query: MaskListQuery): Promise<StoredAnswer> => {
    const limit = parseLimit(query.limit);
    const first = await findAfter(userId, query.after);
    const { parts, isMore, version } = await encodeParts(userId, first, limit);
    const answer = (end: string): Buffer =>
      Buffer.concat([Buffer.from('{"masks":['), ...parts, Buffer.from(end)]);
    if (isMore) return storeAnswer(answer(`],"isMore":true}`));
    if (query.after !== undefined) return storeAnswer(answer("]}"));
    return storeAnswer(answer(`],"version":"${version}"}`), version);
  };

  return async (userId, query) => {
    const key = JSON.stringify([userId, query.after, query.limit, query.sort, query.q]);
    const list = await lists.get(key, async () => ({
      userId,
      value: await (isSearch(query) ? search : read)(userId, query),
    }));
    if (!list) throw new Error("a list of masks was not read");
    return list;
  };
};
