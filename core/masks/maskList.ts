import { type SchedulerLike, Subscription } from "rxjs";
import { toSearchText } from "../kernel/searchText.ts";
import { createState, type State } from "../kernel/state.ts";
import { isActive, type Mask } from "./mask.ts";
import { defaultMaskQuery, type MaskFilter, type MaskQuery } from "./maskQuery.ts";

/** The number of masks on a page (MA2). */
export const masksPerPage = 5;

/** One page of the masks that match a query. */
export interface MaskPage {
  readonly items: readonly Mask[];
  /** The page shown, from 1 to `pages`; a requested page outside this range is clamped. */
  readonly page: number;
  /** The number of pages, at least 1. */
  readonly pages: number;
  readonly matching: number;
  /** The number of masks under each filter, regardless of the search text. */
  readonly counts: Readonly<Record<MaskFilter, number>>;
}

const isInFilter: Readonly<Record<MaskFilter, (mask: Mask) => boolean>> = {
  all: () => true,
  active: isActive,
  disabled: (mask) => !isActive(mask),
};

/** The text of each mask that a search looks at; a changed mask is another object. */
const searchIndex = new WeakMap<Mask, string>();

const searchableText = (mask: Mask): string => {
  const known = searchIndex.get(mask);
  if (known !== undefined) return known;
  const { labels = [], note = "" } = mask;
  const text = toSearchText(
    [mask.description ?? "", mask.maskEmail, mask.forwardTo, note, ...labels.map(labelTerm)].join("\n"),
  );
  searchIndex.set(mask, text);
  return text;
};

/** Searches for a label: `label:shop`, or `label:"old shops"` for more than one word. */
const labelTerm = (label: string): string => `label:"${label}"`;

/** The search that finds the masks with a label. */
export const labelSearch = (label: string): string =>
  /\s/.test(label) ? labelTerm(label) : `label:${label}`;

/** Splits a search into its words; a label in quotes is one. */
const searchWords = (search: string): readonly string[] =>
  (search.match(/label:"[^"]*"|\S+/g) ?? []).map((word) =>
    word.startsWith("label:") && !word.startsWith('label:"') ? word.replace("label:", 'label:"') : word,
  );

const pinnedFirst = (masks: readonly Mask[]): readonly Mask[] =>
  masks.some(({ pinned }) => pinned)
    ? [...masks.filter(({ pinned }) => pinned), ...masks.filter(({ pinned }) => !pinned)]
    : masks;

const searchMasks = (masks: readonly Mask[], search: string): readonly Mask[] => {
  const words = searchWords(toSearchText(search));
  if (words.length === 0) return masks;
  return masks.filter((mask) => {
    const text = searchableText(mask);
    return words.every((word) => text.includes(word));
  });
};

/**
 * Returns the page of masks that a query selects, pinned ones first. A mask matches when its description, addresses, note and
 * labels together contain every word of the search, ignoring case and accents; `label:shop` finds labels alone.
 */
export const toMaskPage = (masks: readonly Mask[], query: MaskQuery): MaskPage => {
  const found = searchMasks(masks, query.search);
  const matching = pinnedFirst(found.filter(isInFilter[query.filter]));
  const pages = Math.max(1, Math.ceil(matching.length / masksPerPage));
  const page = Math.min(Math.max(1, Math.trunc(query.page) || 1), pages);
  const active = masks.filter(isActive).length;
  return {
    items: matching.slice((page - 1) * masksPerPage, page * masksPerPage),
    page,
    pages,
    matching: matching.length,
    counts: { all: masks.length, active, disabled: masks.length - active },
  };
};

/** Whether the result of a query contains this mask. */
export const includesMask = (query: MaskQuery, mask: Mask): boolean =>
  toMaskPage([mask], { ...query, page: 1 }).matching === 1;

const createdAt = ({ created }: Mask): number => {
  const time = Date.parse(created ?? "");
  return Number.isNaN(time) ? Number.NEGATIVE_INFINITY : time;
};

/** Sorts masks by creation time, newest first; masks without a valid time come last in their given order. */
export const newestFirst = (masks: readonly Mask[]): readonly Mask[] =>
  masks
    .map((mask) => ({ mask, at: createdAt(mask) }))
    .sort((a, b) => (a.at === b.at ? 0 : b.at - a.at))
    .map(({ mask }) => mask);

/** The list follows the search text after typing has paused for this long (MA1). */
const searchDebounceMs = 300;

export interface MaskListQuery {
  /** The query as typed and clicked. */
  readonly query$: State<MaskQuery>;
  /** The query that the list shows; a change of the search text arrives here after 300 ms without typing. */
  readonly appliedQuery$: State<MaskQuery>;
  readonly search: (text: string) => void;
  /** Changes parts of the query and applies them immediately. */
  readonly setQuery: (change: Partial<MaskQuery>) => void;
}

export const createMaskListQuery = (scheduler: SchedulerLike): MaskListQuery => {
  const query$ = createState(defaultMaskQuery);
  const appliedQuery$ = createState(defaultMaskQuery);
  let debounce = Subscription.EMPTY;
  const apply = (): void => {
    debounce.unsubscribe();
    appliedQuery$.set(query$.value);
  };
  return {
    query$,
    appliedQuery$,
    search: (search) => {
      debounce.unsubscribe();
      query$.update((query) => ({ ...query, search, page: 1 }));
      debounce = scheduler.schedule(apply, searchDebounceMs);
    },
    setQuery: (change) => {
      query$.update((query) => ({ ...query, ...change }));
      apply();
    },
  };
};
