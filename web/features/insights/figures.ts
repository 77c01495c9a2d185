import { type Category, categoryLabel } from "../../../core/insights/classification/category.ts";
import type { Insights } from "../../../core/insights/insights.ts";

/** The state that the insights show, and the parts of it. */
export type InsightsView = Insights["view$"]["value"];
export type Figures = InsightsView["figures"];
export type ShownSuggestion = InsightsView["suggestions"][number];

/** A name and how often it was counted. */
export interface NamedCount {
  readonly name: string;
  readonly count: number;
}

/** Sorts counts descending, equal ones by name, and leaves out zeros. */
export const sortByCount = (counts: Readonly<Record<string, number>>): readonly NamedCount[] =>
  Object.entries(counts)
    .map(([name, count]) => ({ name, count }))
    .filter(({ count }) => count > 0)
    .sort((one, other) => other.count - one.count || (one.name < other.name ? -1 : 1));

/** Keeps the first `max` entries and sums up the others as one entry named `rest`. */
export const groupRest = (list: readonly NamedCount[], max: number, rest: string): readonly NamedCount[] => {
  if (list.length <= max) return list;
  const left = list.slice(max).reduce((sum, { count }) => sum + count, 0);
  return [...list.slice(0, max), { name: rest, count: left }];
};

/** Returns the label of a category; an unknown category is its own label. */
export const categoryName = (category: string): string =>
  Object.hasOwn(categoryLabel, category) ? categoryLabel[category as Category] : category;
