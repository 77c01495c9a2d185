import * as t from "io-ts";
import { isStorable, refined } from "../api/textCodecs.ts";
import { toSearchText } from "../kernel/searchText.ts";

/** The most labels of a mask, and the most characters of one. */
const maxLabels = 20;
const maxLabelLength = 40;

export const tooManyLabels = `A mask can have at most ${maxLabels} labels. Remove one to add another.`;

/** The name of a label. */
export const Label = refined(
  refined(
    t.string,
    (text) => text.trim() !== "" && isStorable(text) && !/[\p{Cc},"]/u.test(text),
    "A label is a few words without commas and quotes",
  ),
  (text) => text.length <= maxLabelLength,
  `A label can have at most ${maxLabelLength} characters`,
);

/** Removes labels that are the same but for case and accents; the first one stays. */
const distinctLabels = (labels: readonly string[]): readonly string[] => {
  const texts = labels.map(toSearchText);
  return labels.filter((_, n) => texts.indexOf(texts[n] ?? "") === n).map((label) => label.trim());
};

/** The labels that the owner gives to a mask, each once. */
export const Labels: t.Type<readonly string[], readonly string[], unknown> = refined(
  new t.Type(
    "labels",
    t.readonlyArray(Label).is,
    (u, context) => {
      const labels = t.readonlyArray(Label).validate(u, context);
      return labels._tag === "Left" ? labels : t.success(distinctLabels(labels.right));
    },
    (labels) => labels,
  ),
  (labels) => labels.length <= maxLabels,
  tooManyLabels,
);

/** True if these are more labels than a mask can have. */
export const isTooManyLabels = (labels: readonly string[]): boolean => labels.length > maxLabels;

/** Returns labels without those to remove and with those to add, each once. */
export const changeLabels = (
  labels: readonly string[],
  { add, remove }: { readonly add: readonly string[]; readonly remove: readonly string[] },
): readonly string[] => {
  const removed = new Set(remove.map(toSearchText));
  return distinctLabels([...labels.filter((label) => !removed.has(toSearchText(label))), ...add]);
};

/** Reads labels typed with commas between them; a text after the last comma that is not finished yet counts too. */
export const parseLabels = (typed: string): readonly string[] =>
  typed
    .split(",")
    .map((label) => label.trim())
    .filter((label) => label !== "");

/** Returns all labels of some masks by name, each once. */
export const labelsOf = (masks: readonly { readonly labels?: readonly string[] }[]): readonly string[] =>
  [...distinctLabels(masks.flatMap(({ labels = [] }) => labels))].sort((one, other) =>
    one.localeCompare(other),
  );
