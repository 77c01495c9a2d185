import type { CssToken } from "./cssTokens.ts";

/** One step of a selector: what an element has to be. */
export interface Compound {
  readonly tag: string | null;
  readonly ids: readonly string[];
  readonly classes: readonly string[];
  readonly attributes: readonly {
    readonly name: string;
    readonly operator: string;
    readonly value: string;
  }[];
  /** The combinator between it and the step before: a blank, ">", or "" for the first. */
  readonly join: string;
}

/** A selector of names, ids, classes and attributes. */
export interface Selector {
  readonly steps: readonly Compound[];
  /** True if it says no more than its steps: siblings, states and parts of elements are not read. */
  readonly isWhole: boolean;
}

type Step = { -readonly [K in keyof Compound]: Compound[K] extends readonly (infer B)[] ? B[] : Compound[K] };

const emptyStep = (join: string): Step => ({ tag: null, ids: [], classes: [], attributes: [], join });

const isEmpty = ({ tag, ids, classes, attributes }: Compound): boolean =>
  tag === null && ids.length + classes.length + attributes.length === 0;

export const isMark = (token: CssToken | undefined, value: string): boolean =>
  token?.kind === "mark" && token.value === value;

/** Reads `[name="value"]` from its bracket; null for what is none. */
const attributeAt = (tokens: readonly CssToken[], open: number) => {
  const close = tokens.findIndex((token, n) => n > open && isMark(token, "]"));
  const inside = tokens.slice(open + 1, close).filter(({ kind }) => kind !== "space");
  const [first] = inside;
  const value = inside.findLast(({ kind }, n) => n > 0 && (kind === "text" || kind === "name"))?.value ?? "";
  const operator = inside.flatMap(({ kind, value: mark }) => (kind === "mark" ? [mark] : [])).join("");
  if (close === -1 || first?.kind !== "name" || !/^(?:[~^$*|]?=)?$/.test(operator)) return null;
  return { close, attribute: { name: first.value.toLowerCase(), operator, value } };
};

const closingParenthesis = (tokens: readonly CssToken[], open: number): number => {
  let depth = 0;
  for (let n = open; n < tokens.length; n += 1) {
    if (tokens[n]?.kind === "function") depth += 1;
    if (isMark(tokens[n], ")")) depth -= 1;
    if (depth === 0) return n;
  }
  return tokens.length;
};

class SelectorReader {
  readonly steps: Step[] = [];
  isWhole = true;
  #step = emptyStep("");
  #join = "";

  /** Ends a step before a blank or a mark that joins it to the next. */
  join(next: string): void {
    const isLast = isEmpty(this.#step);
    if (!isLast) this.steps.push(this.#step);
    if (!isLast || next !== " ") this.#join = next;
    this.#step = emptyStep(this.steps.length === 0 ? "" : this.#join);
  }

  /** Forgets what is before a sibling. */
  #joinSibling(): void {
    this.steps.length = 0;
    this.#step = emptyStep("");
    this.isWhole = false;
  }

  /** Reads one thing from a token and returns the number of its last one; null for what is no selector. */
  add(tokens: readonly CssToken[], n: number): number | null {
    const token = tokens[n];
    const next = tokens[n + 1];
    if (token?.kind === "space") {
      if (token.value !== "") this.join(" ");
    } else if (token?.kind === "name") this.#step.tag = token.value.toLowerCase();
    else if (isMark(token, ">")) this.join(">");
    else if (isMark(token, "+") || isMark(token, "~")) this.#joinSibling();
    else if (isMark(token, "[")) return this.#addAttribute(tokens, n);
    else if (!isMark(token, "*")) return this.#addOther(tokens, n, next);
    return n;
  }

  #addAttribute(tokens: readonly CssToken[], n: number): number | null {
    const found = attributeAt(tokens, n);
    if (found) this.#step.attributes.push(found.attribute);
    return found?.close ?? null;
  }

  /** Reads a class or an id; states and parts of elements are left out. */
  #addOther(tokens: readonly CssToken[], n: number, next: CssToken | undefined): number {
    const isNamed = next?.kind === "name";
    if (isNamed && isMark(tokens[n], ".")) this.#step.classes.push(next.value);
    else if (isNamed && isMark(tokens[n], "#")) this.#step.ids.push(next.value);
    else this.isWhole = false;
    if (tokens[n]?.kind === "function") return closingParenthesis(tokens, n);
    return isNamed ? n + 1 : n;
  }

  end(): void {
    if (!isEmpty(this.#step) || this.steps.length === 0) this.steps.push(this.#step);
  }
}

const maxTokens = 100;
const maxSteps = 8;

/** Reads a selector; null for what is none or too long. */
export const readSelector = (tokens: readonly CssToken[]): Selector | null => {
  if (tokens.length > maxTokens) return null;
  const reader = new SelectorReader();
  for (let n = 0; n < tokens.length; n += 1) {
    const last = reader.add(tokens, n);
    if (last === null) return null;
    n = last;
  }
  reader.end();
  const { steps, isWhole } = reader;
  return steps.length > maxSteps ? null : { steps, isWhole };
};

/** The weight of a selector beside others (CSS Selectors, 17). */
export const specificityOf = (steps: readonly Compound[]): number =>
  steps.reduce(
    (sum, { tag, ids, classes, attributes }) =>
      sum + (tag === null ? 0 : 1) + 100 * (classes.length + attributes.length) + 10_000 * ids.length,
    0,
  );
