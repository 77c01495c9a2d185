import { toSearchText } from "../kernel/searchText.ts";
import { isActive, type Mask } from "./mask.ts";

/** The text that a word of a search looks for, without case and accents. */
interface Wanted {
  readonly value: string;
  /** True if the value stood in quotes: it is the whole label. */
  readonly isWhole: boolean;
}

const contains = (text: string | undefined, value: string): boolean =>
  toSearchText(text ?? "").includes(value);

const states: Readonly<Record<string, (mask: Mask) => boolean>> = {
  on: isActive,
  active: isActive,
  off: (mask) => !isActive(mask),
  disabled: (mask) => !isActive(mask),
  pinned: ({ pinned = false }) => pinned,
  waiting: ({ destinationStatus }) => destinationStatus === "awaiting-confirmation",
  unused: ({ lastMailAt, statistics }) => !lastMailAt && !statistics?.lastUsed,
};

const parts: Readonly<Record<string, (mask: Mask) => boolean>> = {
  label: ({ labels = [] }) => labels.length > 0,
  note: ({ note = "" }) => note !== "",
  rules: ({ settings }) => (settings?.rules?.length ?? 0) > 0,
};

/** Returns the time at which a mask was created; NaN, which is neither before nor after anything, where that is not known. */
const createdAt = ({ created = "" }: Mask): number => Date.parse(created);

/** The comparisons that each field of a search makes. */
const fields = {
  label: ({ labels = [] }, { value, isWhole }) =>
    labels.some((label) => {
      const text = toSearchText(label);
      return isWhole ? text === value : text.startsWith(value);
    }),
  to: ({ forwardTo, destinations = [forwardTo] }, { value }) =>
    destinations.some((address) => contains(address, value)),
  from: ({ senders }, { value }) =>
    [...(senders?.allow ?? []), ...(senders?.block ?? [])].some((sender) => contains(sender, value)),
  note: ({ note }, { value }) => contains(note, value),
  site: ({ madeFor }, { value }) => contains(madeFor, value),
  is: (mask, { value }) => states[value]?.(mask) ?? false,
  has: (mask, { value }) => parts[value]?.(mask) ?? false,
  before: (mask, { value }) => createdAt(mask) < Date.parse(value),
  after: (mask, { value }) => createdAt(mask) >= Date.parse(value),
} as const satisfies Readonly<Record<string, (mask: Mask, wanted: Wanted) => boolean>>;

type Field = keyof typeof fields;

interface Term extends Wanted {
  readonly isNegated: boolean;
  /** The field that is looked at; null for all that is searched. */
  readonly field: Field | null;
}

const isField = (name: string): name is Field => Object.hasOwn(fields, name);

const word = /(-?)(?:([a-z]+):)?(?:"([^"]*)("?)|([^\s"]+))|"/g;

/** Reads a search: words, texts in quotes and `field:value`, each of them with `-` before it for masks without it. */
const parseSearch = (search: string): readonly Term[] =>
  [...toSearchText(search).matchAll(word)].flatMap(
    ([, minus = "", name = "", quoted, end, plain = ""]): Term[] => {
      const text = quoted ?? plain;
      const field = isField(name) ? name : null;
      const value = field === null && name !== "" ? `${name}:${text}` : text;
      return value === ""
        ? []
        : [{ isNegated: minus === "-", field, value, isWhole: quoted !== undefined && end === '"' }];
    },
  );

/** The text of each mask that words without a field look at; a changed mask is another object. */
const searchIndex = new WeakMap<Mask, string>();

const searchableText = (mask: Mask): string => {
  const known = searchIndex.get(mask);
  if (known !== undefined) return known;
  const { description, maskEmail, forwardTo, labels = [], note, madeFor } = mask;
  const text = toSearchText([description, maskEmail, forwardTo, note, madeFor, ...labels].join("\n"));
  searchIndex.set(mask, text);
  return text;
};

const matches = (mask: Mask, term: Term): boolean =>
  (term.field === null ? searchableText(mask).includes(term.value) : fields[term.field](mask, term)) !==
  term.isNegated;

/**
 * Returns the masks that match every word of a search, or contain the search as it is, ignoring case and accents. A word is looked for in description,
 * addresses, note, site and labels; `label:`, `to:`, `from:`, `note:`, `site:`, `is:`, `has:`, `before:` and `after:` look at one
 * thing. `from:` finds the senders that the owner has listed, `before:` and `after:` the day of creation (ISO 8601).
 */
export const searchMasks = (masks: readonly Mask[], search: string): readonly Mask[] => {
  const terms = parseSearch(search);
  const whole = toSearchText(search).trim();
  // Otherwise a description such as "-50%" or "is:off" could not be searched for.
  const isLiteral = (mask: Mask): boolean => searchableText(mask).includes(whole);
  return terms.length === 0
    ? masks
    : masks.filter((mask) => terms.every((term) => matches(mask, term)) || isLiteral(mask));
};

/** The texts that a search finds where they are shown, without case and accents. */
export const shownMatches = (search: string): readonly string[] =>
  parseSearch(search).flatMap(({ isNegated, field, value }) =>
    isNegated || (field !== null && !["label", "to", "note"].includes(field)) ? [] : [value],
  );

/** The search that finds the masks with a label; a label of several words stands in quotes. */
export const labelSearch = (label: string): string =>
  /\s/.test(label) ? `label:"${label}"` : `label:${label}`;
