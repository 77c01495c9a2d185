import { parseLabels } from "./label.ts";

/**
 * Returns the suggestions of a field with commas between labels: what is typed, its last label replaced by each one that it does
 * not have.
 */
export const labelSuggestions = (typed: string, labels: readonly string[]): readonly string[] => {
  const begun = parseLabels(typed.slice(0, typed.lastIndexOf(",") + 1));
  return labels.filter((label) => !begun.includes(label)).map((label) => [...begun, label].join(", "));
};
