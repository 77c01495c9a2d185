import type { NewMask } from "../../core/masks/mask.ts";
import { refusedField } from "../http/refusal.ts";

const longest = 200;

const kept = (field: "suggestionId" | "suggestionCategory", text: string | undefined) => {
  if (text === undefined) return {};
  if (text.length > longest)
    throw refusedField(400, `metadata.${field}`, `This must be ${longest} characters or less.`);
  return { [field]: text };
};

/** Where a mask came from, without anything else that was sent along. */
export const metadataOf = (sent: NewMask["metadata"]): NonNullable<NewMask["metadata"]> => ({
  ...kept("suggestionId", sent?.suggestionId),
  ...kept("suggestionCategory", sent?.suggestionCategory),
});
