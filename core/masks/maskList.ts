import { isActive, type Mask } from "./mask.ts";
import type { MaskFilter, MaskQuery } from "./maskQuery.ts";

/** How many masks stand on a page (MA2). */
export const masksPerPage = 5;

/** One page of what matches. */
export interface MaskPage {
  readonly items: readonly Mask[];
  /** From 1 to `pages`, whatever was asked for. */
  readonly page: number;
  /** At least 1. */
  readonly pages: number;
  readonly matching: number;
  /** How many masks there are under each filter, whatever is searched for. */
  readonly counts: Readonly<Record<MaskFilter, number>>;
}

const passes: Readonly<Record<MaskFilter, (mask: Mask) => boolean>> = {
  all: () => true,
  active: isActive,
  disabled: (mask) => !isActive(mask),
};

const searched = (mask: Mask): string =>
  [mask.description ?? "", mask.maskEmail, mask.forwardTo].join("\n").normalize("NFC").toLowerCase();

const found = (masks: readonly Mask[], search: string): readonly Mask[] => {
  const words = search.normalize("NFC").toLowerCase().split(/\s+/).filter(Boolean);
  return masks.filter((mask) => {
    const text = searched(mask);
    return words.every((word) => text.includes(word));
  });
};

/**
 * The page of masks that a query means. A mask matches when description, address and forward-to together
 * hold every word of the search, in any case.
 */
export const maskPage = (masks: readonly Mask[], query: MaskQuery): MaskPage => {
  const hits = found(masks, query.search);
  const matching = hits.filter(passes[query.filter]);
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

/** Whether a query shows this mask on one of its pages. */
export const showsMask = (query: MaskQuery, mask: Mask): boolean =>
  maskPage([mask], { ...query, page: 1 }).matching === 1;

const createdAt = ({ created }: Mask): number => {
  const time = Date.parse(created ?? "");
  return Number.isNaN(time) ? Number.NEGATIVE_INFINITY : time;
};

/** The newest first; those that do not say when they were made come last, in the order they had. */
export const newestFirst = (masks: readonly Mask[]): readonly Mask[] =>
  masks
    .map((mask) => ({ mask, at: createdAt(mask) }))
    .sort((a, b) => (a.at === b.at ? 0 : b.at - a.at))
    .map(({ mask }) => mask);
