import * as t from "io-ts";

/** The categories of mail in the insights; each mail has exactly one. */
export const categories = [
  "promotional",
  "transactional",
  "important",
  "newsletter",
  "social",
  "personal",
  "other",
] as const;

export type Category = (typeof categories)[number];

export const Category: t.Type<Category> = t.keyof({
  promotional: null,
  transactional: null,
  important: null,
  newsletter: null,
  social: null,
  personal: null,
  other: null,
});

/** The titles of the categories. */
export const categoryLabel: Readonly<Record<Category, string>> = {
  promotional: "Promotional",
  transactional: "Transactional",
  important: "Important",
  newsletter: "Newsletters",
  social: "Social",
  personal: "Personal",
  other: "Other",
};
