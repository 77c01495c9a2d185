import { setImmediate as afterPendingInput } from "node:timers/promises";
import type { Mask } from "../../../../core/masks/mask.ts";
import { type MaskSort, sortMasks } from "../../../../core/masks/maskListSettings.ts";
import { searchMasks } from "../../../../core/masks/maskSearch.ts";
import { createShortPart, joinParts } from "../../../platform/answers/joinedAnswer.ts";
import { noSuchEntry } from "../../../platform/answers/listPage.ts";
import { type StoredAnswer, storeAnswer } from "../../../platform/answers/storedAnswer.ts";
import { fieldError } from "../../../platform/errors/useCaseError.ts";
import type { Database } from "../../../platform/store/database.ts";
import { isId } from "../../../platform/store/id.ts";
import { createUserCache, type OutdatedValue, type UserCache } from "../../../platform/store/userCache.ts";
import type { SenderLists } from "../../senders/senderLists.ts";
import {
  createFindListedMask,
  createFindMaskPage,
  type FindMaskPage,
  type FullMask,
  type MaskPage,
} from "../maskQueries.ts";
import { type ListBlock, toBlocks, versionOfBlocks } from "./listBlocks.ts";
import { createEncodeMask, type EncodeMask, type ListedMask } from "./listedMask.ts";
import { createReadWholeList, partSize, type ReadWholeList } from "./wholeList.ts";

/** The maximum size of the cached lists in bytes. */
const maxCachedBytes = 48_000_000;

/**
 * A page that a client asks for: `limit` masks, or all, that follow the mask `after`, in the order `sort`, of those that
 * match the search `q`.
 */
export interface MaskListQuery {
  readonly after?: string | undefined;
  readonly limit?: number | undefined;
  readonly sort?: MaskSort | undefined;
  readonly q?: string | undefined;
}

/** The most characters of a search. */
const maxSearch = 500;

const parseSearch = (text = ""): string => {
  if (text.length <= maxSearch) return text;
  throw fieldError("invalid", "q", `A search can have at most ${maxSearch} characters.`);
};

const isSearch = ({ sort, q }: MaskListQuery): boolean => sort !== undefined || q !== undefined;

/** A list as it was answered, and its blocks where it is a whole one. */
interface KnownList {
  readonly answer: StoredAnswer;
  readonly blocks?: readonly ListBlock[];
}

const opening = createShortPart('{"masks":[');
const separator = createShortPart(",");

const encodeWhole = (blocks: readonly ListBlock[]): StoredAnswer => {
  const parts = blocks.flatMap(({ part }, n) => (n === 0 ? [part] : [separator, part]));
  const version = versionOfBlocks(blocks);
  return joinParts([opening, ...parts, createShortPart(`],"version":"${version}"}`)], version);
};

/** Returns the JSON of a page with what is said of its place in the list. */
const toText = (page: readonly ListedMask[], place: object): string => {
  const members = Object.entries(place).map(
    ([name, value]) => `,${JSON.stringify(name)}:${JSON.stringify(value)}`,
  );
  return `{"masks":[${page.map(({ text }) => text).join(",")}]${members.join("")}}`;
};

/** Decodes the masks of a list, block by block. */
const parseMasks = async (blocks: readonly ListBlock[]): Promise<readonly Mask[]> => {
  const parsed: Mask[] = [];
  for (const { masks } of blocks) {
    if (parsed.length > 0) await afterPendingInput();
    for (const { text } of masks) parsed.push(JSON.parse(text) as Mask);
  }
  return parsed;
};

/** Answers with lists of masks; a list is read again only after a change of the user's data. */
export class MaskLists {
  readonly #encode: EncodeMask;
  readonly #findPage: FindMaskPage;
  readonly #findMask: (userId: string, id: string) => Promise<FullMask | undefined>;
  readonly #readWhole: ReadWholeList;
  readonly #lists: UserCache<KnownList>;
  /** Elsewhere, each part would read the whole list again. */
  readonly #keepsLists: boolean;

  constructor(database: Database, senderLists: Pick<SenderLists, "open">) {
    this.#encode = createEncodeMask(senderLists);
    this.#findPage = createFindMaskPage(database);
    this.#findMask = createFindListedMask(database);
    this.#readWhole = createReadWholeList({
      findMaskPage: this.#findPage,
      findMask: this.#findMask,
      encode: this.#encode,
    });
    this.#lists = createUserCache<KnownList>(database, {
      maxWeight: maxCachedBytes,
      // A whole list is kept mask by mask, block by block, and joined for those who take it uncompressed.
      weightOf: ({ answer: { length }, blocks }) => length * (blocks ? 3 : 1),
    });
    this.#keepsLists = database.engine.name === "sqlite";
  }

  /** Returns the encoded answer to GET /masks; rejects with 400 when the page does not exist. */
  readonly list = async (userId: string, query: MaskListQuery): Promise<StoredAnswer> =>
    (await this.#find(userId, query)).answer;

  async #find(userId: string, query: MaskListQuery): Promise<KnownList> {
    const key = JSON.stringify([userId, query.after, query.limit, query.sort, query.q]);
    const known = await this.#lists.get(key, async (outdated) => ({
      userId,
      value: await this.#read(userId, query, outdated),
    }));
    if (!known) throw new Error("a list of masks was not read");
    return known;
  }

  async #read(
    userId: string,
    query: MaskListQuery,
    outdated: OutdatedValue<KnownList> | undefined,
  ): Promise<KnownList> {
    if (isSearch(query)) return { answer: await this.#search(userId, query) };
    if (query.limit !== undefined || query.after !== undefined)
      return { answer: await this.#readPage(userId, query) };
    const known = outdated?.value.blocks;
    const blocks = await this.#readWhole(
      userId,
      outdated && known ? { value: known, changes: outdated.changes } : undefined,
    );
    return { answer: encodeWhole(blocks), blocks };
  }

  /** Answers a query with an order or a search of its own, by what the app does with the whole list. */
  async #search(userId: string, query: MaskListQuery): Promise<StoredAnswer> {
    const limit = query.limit ?? Number.POSITIVE_INFINITY;
    const sort = query.sort ?? "newest";
    const text = parseSearch(query.q);
    const all = await parseMasks(await this.#readWhole(userId));
    const found = searchMasks(sortMasks(all, sort), text);
    const at = query.after === undefined ? -1 : found.findIndex(({ id }) => id === query.after);
    if (query.after !== undefined && at < 0) throw noSuchEntry("mask");
    const page = found.slice(at + 1, at + 1 + limit);
    return storeAnswer(
      JSON.stringify({ masks: page, ...(at + 1 + page.length < found.length && { isMore: true }) }),
    );
  }

  /** Answers a query for a page. */
  async #readPage(userId: string, query: MaskListQuery): Promise<StoredAnswer> {
    const limit = query.limit ?? Number.POSITIVE_INFINITY;
    if (query.after !== undefined && this.#keepsLists) return this.#readFollowing(userId, query.after, limit);
    const masks = await this.#readMasks(userId, query, limit);
    const page = masks.slice(0, limit);
    const isMore = masks.length > limit;
    if (query.after !== undefined) return storeAnswer(toText(page, { ...(isMore && { isMore }) }));
    const version = versionOfBlocks(toBlocks(page));
    const answer = toText(page, { ...(isMore && { isMore }), version });
    return isMore ? storeAnswer(answer) : storeAnswer(answer, version);
  }

  /** Answers a query for what follows a mask from the whole list, and names the states of the list before and after it. */
  async #readFollowing(userId: string, after: string, limit: number): Promise<StoredAnswer> {
    const blocks = (await this.#find(userId, {})).blocks ?? [];
    const all = blocks.flatMap(({ masks }) => masks);
    const from = all.findIndex(({ id }) => id === after) + 1;
    if (from === 0) throw noSuchEntry("mask");
    const versionUntil = (end: number): string => versionOfBlocks(toBlocks(all.slice(0, end), blocks));
    const page = all.slice(from, from + limit);
    const until = from + page.length;
    const states = {
      ...(until < all.length && { isMore: true }),
      follows: versionUntil(from),
      version: versionUntil(until),
    };
    return storeAnswer(toText(page, states));
  }

  /** Returns the masks of a page, and one more where another page follows. */
  async #readMasks(
    userId: string,
    { after: id }: MaskListQuery,
    limit: number,
  ): Promise<readonly ListedMask[]> {
    const masks: ListedMask[] = [];
    let after: MaskPage["after"] = id === undefined ? null : await this.#findAfter(userId, id);
    for (;;) {
      const size = Math.min(limit + 1 - masks.length, partSize);
      const rows = await this.#findPage(userId, { after, limit: size });
      masks.push(...rows.map(this.#encode));
      if (masks.length > limit || rows.length < size) return masks;
      after = rows.at(-1) ?? after;
      await afterPendingInput();
    }
  }

  async #findAfter(userId: string, after: string): Promise<FullMask> {
    const mask = isId(after) ? await this.#findMask(userId, after) : undefined;
    if (mask) return mask;
    throw noSuchEntry("mask");
  }
}
