import * as t from "io-ts";

/** What a mail is for, in the words of the insights (B3): each mail has exactly one. */
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
