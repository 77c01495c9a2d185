import { type Declaration, type Rule, readDeclarations } from "./cssRules.ts";
import type { Compound } from "./cssSelectors.ts";
import { attributeOf, type HtmlElement } from "./htmlTags.ts";

/** The most comparisons of elements with rules in one text; style sheets say nothing beyond. */
const maxComparisons = 500_000;
const maxClasses = 20;
/** Characters of an attribute that are compared; so many cost as much as another comparison. */
const maxCompared = 2_000;
const comparedAtOnce = 20;

const hasAttribute = (actual: string, { operator, value }: Compound["attributes"][number]): boolean => {
  if (operator === "") return true;
  if (operator === "=") return actual === value;
  if (value === "") return false;
  if (operator === "~=") return actual.split(/\s+/).includes(value);
  if (operator === "^=") return actual.startsWith(value);
  if (operator === "$=") return actual.endsWith(value);
  return operator === "*=" ? actual.includes(value) : actual === value || actual.startsWith(`${value}-`);
};

const readClasses = (element: HtmlElement): ReadonlySet<string> =>
  new Set((attributeOf(element, "class") ?? "").slice(0, maxCompared).split(/\s+/, maxClasses));

/** The values of a property that may apply to an element, the strongest first; the last certainly applies without the others. */
export type Values = readonly (string | undefined)[];

/** Finds the values that the styles of an element give a property. */
export interface StyleValues {
  /** True if a style says anything that decides whether an element is seen. */
  readonly isStyled: (element: HtmlElement) => boolean;
  /** `onlySpecific` leaves out rules for all elements of a name. */
  readonly find: (element: HtmlElement, property: string, onlySpecific?: boolean) => Values;
}

interface Scope {
  /** True if the declaration applies whatever the screen. */
  readonly isCertain: boolean;
  /** True for a rule for this element, and not for all of its name. */
  readonly isSpecific: boolean;
}

interface Applied extends Declaration, Scope {
  readonly weight: number;
}

const nothing: ReadonlyMap<string, readonly Applied[]> = new Map();
const unknown: Values = [undefined];

/** The rank of a style attribute, above any specificity. */
const inlineRank = 10_000_000;

/** The key under which a rule is found: of the id, a class or the name that its last step asks for. */
const keyOf = ({ steps }: Rule): string => {
  const { ids, classes, tag } = steps.at(-1) ?? { ids: [], classes: [], tag: null };
  if (ids[0] !== undefined) return `#${ids[0]}`;
  return classes[0] === undefined ? (tag ?? "*") : `.${classes[0]}`;
};

const isSpecific = ({ steps }: Rule): boolean =>
  steps.some(({ ids, classes, attributes }) => ids.length + classes.length + attributes.length > 0);

/** Reads the cascade (CSS Cascade, 6) of style attributes and of the rules, in the order of the text. */
export const createStyleValues = (rules: readonly Rule[]): StyleValues => {
  const byKey = Map.groupBy(
    rules.map((rule, order) => ({ rule, order })),
    ({ rule }) => keyOf(rule),
  );
  const known = new Map<HtmlElement, ReadonlyMap<string, readonly Applied[]>>();
  const classesKnown = new Map<HtmlElement, ReadonlySet<string>>();
  let comparisons = 0;

  const classesOf = (element: HtmlElement): ReadonlySet<string> => {
    const classes = classesKnown.get(element) ?? readClasses(element);
    classesKnown.set(element, classes);
    return classes;
  };

  const matchesAttribute = (element: HtmlElement, wanted: Compound["attributes"][number]): boolean => {
    const actual = attributeOf(element, wanted.name)?.slice(0, maxCompared);
    if (actual === undefined) return false;
    comparisons += actual.length / comparedAtOnce;
    return comparisons <= maxComparisons && hasAttribute(actual, wanted);
  };

  const matches = (element: HtmlElement, { tag, ids, classes, attributes }: Compound): boolean =>
    (tag === null || tag === element.name) &&
    ids.every((id) => attributeOf(element, "id") === id) &&
    (classes.length === 0 || classes.every((name) => classesOf(element).has(name))) &&
    attributes.every((attribute) => matchesAttribute(element, attribute));

  /** True if the elements around one are as the steps before the last ask for. */
  const isWithin = (element: HtmlElement, steps: readonly Compound[]): boolean => {
    let step = steps.length - 1;
    let isChild = steps[step]?.join === ">";
    for (let at = element.parent; step > 0; at = at.parent) {
      comparisons += 1;
      const wanted = steps[step - 1];
      if (at === null || !wanted || comparisons > maxComparisons) return false;
      if (matches(at, wanted)) {
        step -= 1;
        isChild = wanted.join === ">";
      } else if (isChild) return false;
    }
    return true;
  };

  /** Returns the rules for an element, as far as comparisons are left. */
  const rulesFor = (element: HtmlElement): readonly { readonly rule: Rule; readonly order: number }[] => {
    if (rules.length === 0 || comparisons > maxComparisons) return [];
    const id = attributeOf(element, "id");
    const classes = attributeOf(element, "class") === undefined ? [] : classesOf(element);
    const keys = ["*", element.name, `#${id ?? ""}`, ...[...classes].map((name) => `.${name}`)];
    const candidates = keys.map((key) => byKey.get(key) ?? []);
    comparisons += candidates.reduce((sum, { length }) => sum + length, 0);
    if (comparisons > maxComparisons) return [];
    return candidates.flat().filter(({ rule: { steps } }) => {
      const last = steps.at(-1);
      return last !== undefined && matches(element, last) && isWithin(element, steps);
    });
  };

  const readApplied = (element: HtmlElement): ReadonlyMap<string, readonly Applied[]> => {
    const applied: Applied[] = [];
    const add = (declaration: Declaration, rank: number, order: number, how: Scope): void => {
      const weight = (rank + (declaration.isImportant ? 10 * inlineRank : 0)) * 10_000 + order;
      applied.push({ ...declaration, ...how, weight });
    };
    for (const { rule, order } of rulesFor(element)) {
      const how = { isCertain: !rule.isConditional, isSpecific: isSpecific(rule) };
      for (const declaration of rule.declarations) add(declaration, rule.specificity, order, how);
    }
    // Of two declarations in one style, the last one applies.
    for (const [n, declaration] of readDeclarations(attributeOf(element, "style") ?? "").entries())
      add(declaration, inlineRank, Math.min(n, 9_999), { isCertain: true, isSpecific: true });
    if (applied.length === 0) return nothing;
    const sorted = applied.toSorted((a, b) => b.weight - a.weight);
    return Map.groupBy(sorted, ({ property }) => property);
  };

  const appliedTo = (element: HtmlElement): ReadonlyMap<string, readonly Applied[]> => {
    const before = known.get(element);
    if (before) return before;
    const applied = readApplied(element);
    known.set(element, applied);
    return applied;
  };

  return {
    isStyled: (element) => appliedTo(element).size > 0,
    find: (element, property, onlySpecific = false) => {
      const declared = appliedTo(element).get(property);
      if (!declared) return unknown;
      const values: (string | undefined)[] = [];
      for (const { value, isCertain, isSpecific: isWanted } of declared) {
        // A rule for all elements of a name shows none of them that another hides.
        if (!isWanted && (onlySpecific || !isCertain)) continue;
        values.push(value);
        if (isCertain) return values;
      }
      return [...values, undefined];
    },
  };
};
