import { maxDescriptionLength } from "../../../core/masks/mask.ts";

/** Splits a text into the beginning that fits into a description, and the rest, which is empty for a short text. */
export const splitDescription = (text: string): { readonly beginning: string; readonly rest: string } => {
  if (text.length <= maxDescriptionLength) return { beginning: text, rest: "" };
  // A character of two code units is not cut in two.
  const isPairCut = /[\uD800-\uDBFF]/.test(text.charAt(maxDescriptionLength - 1));
  const end = isPairCut ? maxDescriptionLength - 1 : maxDescriptionLength;
  return { beginning: text.slice(0, end), rest: text.slice(end) };
};
