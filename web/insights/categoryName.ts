import { type Category, categoryLabel } from "../../core/classification/category.ts";

/** What a category is called; one this version does not know goes by its own name. */
export const categoryName = (category: string): string =>
  Object.hasOwn(categoryLabel, category) ? categoryLabel[category as Category] : category;
