import { type SchedulerLike, Subscription } from "rxjs";
import { createState, type State } from "../kernel/state.ts";
import { isActive, type Mask, type MaskId } from "./mask.ts";
import { defaultListSettings, type MaskListSettings, pageSizeOf, sortMasks } from "./maskListSettings.ts";
import { defaultMaskQuery, type MaskFilter, type MaskQuery } from "./maskQuery.ts";
import { searchMasks } from "./maskSearch.ts";

/** One page of the masks that match a query. */
export interface MaskPage {
  readonly items: readonly Mask[];
  /** The page shown, from 1 to `pages`; a requested page outside this range is clamped. */
  readonly page: number;
  /** The number of pages, at least 1. */
  readonly pages: number;
  readonly matching: number;
  /** All masks that the query selects, on whatever page. */
  readonly found: readonly Mask[];
  /** The number of masks under each filter, regardless of the search text. */
  readonly counts: Readonly<Record<MaskFilter, number>>;
}

const isInFilter: Readonly<Record<MaskFilter, (mask: Mask) => boolean>> = {
  all: () => true,
  active: isActive,
  disabled: (mask) => !isActive(mask),
};

const pinnedFirst = (masks: readonly Mask[]): readonly Mask[] =>
  masks.some(({ pinned }) => pinned)
    ? [...masks.filter(({ pinned }) => pinned), ...masks.filter(({ pinned }) => !pinned)]
    : masks;

/** Returns all masks that a query selects, in the order of the settings, pinned ones first. */
const selectMasks = (
  masks: readonly Mask[],
  { search, filter }: MaskQuery,
  { sort, isReversed }: MaskListSettings,
): readonly Mask[] => {
  const found = searchMasks(sortMasks(masks, sort), search).filter(isInFilter[filter]);
  return pinnedFirst(isReversed === true ? found.reverse() : found);
};

/** Returns the number of the page on which a query shows a mask. */
export const pageOfMask = (
  masks: readonly Mask[],
  query: MaskQuery,
  settings: MaskListSettings,
  id: MaskId,
): number =>
  1 +
  Math.floor(selectMasks(masks, query, settings).findIndex((mask) => mask.id === id) / pageSizeOf(settings));

/**
 * Returns the page of masks that a query selects, pinned ones first; `searchMasks` says which ones
 * match a search.
 */
export const toMaskPage = (
  masks: readonly Mask[],
  query: MaskQuery,
  settings: MaskListSettings = defaultListSettings,
): MaskPage => {
  const matching = selectMasks(masks, query, settings);
  const masksPerPage = pageSizeOf(settings);
  const pages = Math.max(1, Math.ceil(matching.length / masksPerPage));
  const page = Math.min(Math.max(1, Math.trunc(query.page) || 1), pages);
  const active = masks.filter(isActive).length;
  return {
    items: matching.slice((page - 1) * masksPerPage, page * masksPerPage),
    page,
    pages,
    matching: matching.length,
    found: matching,
    counts: { all: masks.length, active, disabled: masks.length - active },
  };
};

/** True if the result of a query contains this mask. */
export const includesMask = (query: MaskQuery, mask: Mask): boolean =>
  toMaskPage([mask], { ...query, page: 1 }).matching === 1;

/** The times at which masks were created; a list of thousands is sorted again after each change. */
const creationTimes = new WeakMap<Mask, number>();

const createdAt = (mask: Mask): number => {
  const known = creationTimes.get(mask);
  if (known !== undefined) return known;
  const parsed = Date.parse(mask.created ?? "");
  const time = Number.isNaN(parsed) ? Number.NEGATIVE_INFINITY : parsed;
  creationTimes.set(mask, time);
  return time;
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
