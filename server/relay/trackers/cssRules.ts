import { type Compound, isMark, readSelector, specificityOf } from "./cssSelectors.ts";
import { type CssToken, readCss } from "./cssTokens.ts";

/** The declaration of a property, in lower case and without its escapes. */
export interface Declaration {
  readonly property: string;
  readonly value: string;
  readonly isImportant: boolean;
}

/** Properties that decide whether and how large an element is shown; of logical ones, those of horizontal text. */
const properties: Readonly<Record<string, string>> = {
  "block-size": "height",
  "inline-size": "width",
  "max-block-size": "max-height",
  "max-inline-size": "max-width",
  "overflow-x": "overflow",
  "overflow-y": "overflow",
  "-webkit-transform": "transform",
  ...Object.fromEntries(
    [
      "bottom clip clip-path content-visibility display height left margin-left margin-top max-height max-width",
      "min-height min-width opacity overflow right scale text-indent top transform visibility width",
    ].flatMap((names) => names.split(" ").map((name) => [name, name])),
  ),
};

const textOf = (tokens: readonly CssToken[]): string =>
  tokens.map(({ kind, value }) => (kind === "function" ? `${value}(` : value)).join("");

const important = /\s*!\s*important$/;

const declarationOf = (name: string, text: string): Declaration | null => {
  const written = name.trim().toLowerCase();
  const property = Object.hasOwn(properties, written) ? properties[written] : undefined;
  if (property === undefined) return null;
  const value = text.slice(0, 200).trim().toLowerCase();
  return { property, value: value.replace(important, ""), isImportant: important.test(value) };
};

const declarationIn = (tokens: readonly CssToken[]): Declaration | null => {
  const colon = tokens.findIndex((token) => isMark(token, ":"));
  return colon === -1
    ? null
    : declarationOf(textOf(tokens.slice(0, colon)), textOf(tokens.slice(colon + 1, colon + 40)));
};

/** Splits at a mark outside of parentheses. */
const splitAt = (tokens: readonly CssToken[], mark: string): readonly (readonly CssToken[])[] => {
  const pieces: CssToken[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    if (token.kind === "function" || isMark(token, "(")) depth += 1;
    else if (isMark(token, ")")) depth -= 1;
    if (depth <= 0 && isMark(token, mark)) pieces.push([]);
    else pieces.at(-1)?.push(token);
  }
  return pieces;
};

const declarationsOf = (tokens: readonly CssToken[]): readonly Declaration[] =>
  splitAt(tokens, ";").flatMap((piece) => declarationIn(piece) ?? []);

const mayMatter =
  /display|visib|opac|width|height|(?:block|inline)-size|clip|transform|scale|left|right|top|bottom|indent|\\/i;

/** Reads a style without texts, functions, comments and escapes, as nearly all are. */
const readPlainDeclarations = (style: string): readonly Declaration[] =>
  style.split(";").flatMap((piece) => {
    const colon = piece.indexOf(":");
    return colon === -1 ? [] : (declarationOf(piece.slice(0, colon), piece.slice(colon + 1)) ?? []);
  });

/** Reads from a style attribute what decides whether its element is seen. */
export const readDeclarations = (style: string): readonly Declaration[] => {
  if (!mayMatter.test(style)) return [];
  return /["'\\(/]/.test(style) ? declarationsOf(readCss(style)) : readPlainDeclarations(style);
};

/** A rule for one selector. */
export interface Rule {
  readonly steps: readonly Compound[];
  readonly specificity: number;
  /** True if the rule may not apply: in a query of media, or with a selector that is not read whole. */
  readonly isConditional: boolean;
  readonly declarations: readonly Declaration[];
}

/** Queries of media that hold on every screen. */
const everyScreen = /^(?:(?:only\s+)?(?:all|screen)\s*(?:,|$)\s*)*$/i;

/** Returns the number of the token that ends a block. */
const endOfBlock = (tokens: readonly CssToken[], open: number): number => {
  let depth = 0;
  for (let n = open; n < tokens.length; n += 1) {
    if (isMark(tokens[n], "{")) depth += 1;
    if (isMark(tokens[n], "}")) depth -= 1;
    if (depth === 0) return n;
  }
  return tokens.length;
};

const maxRules = 2_000;
const maxNesting = 8;

/** Returns whether the rules in a block of this name and query apply; null for what has no rules for screens. */
const conditionOf = (name: string, query: string): "always" | "maybe" | null => {
  if (!/^(?:media|supports|layer|container)$/.test(name) || (name === "media" && /^print$/i.test(query)))
    return null;
  return name === "media" && everyScreen.test(query) ? "always" : "maybe";
};

class RuleReader {
  readonly rules: Rule[] = [];

  #addRules(prelude: readonly CssToken[], body: readonly CssToken[], isConditional: boolean): void {
    const declarations = declarationsOf(body);
    if (declarations.length === 0) return;
    for (const piece of splitAt(prelude, ",")) {
      const selector = readSelector(piece);
      if (!selector || this.rules.length >= maxRules) continue;
      const { steps, isWhole } = selector;
      const specificity = specificityOf(steps);
      this.rules.push({ steps, specificity, isConditional: isConditional || !isWhole, declarations });
    }
  }

  /** Reads what is before a block, and the block. */
  #addBlock(
    prelude: readonly CssToken[],
    body: readonly CssToken[],
    isConditional: boolean,
    nesting: number,
  ): void {
    const at = prelude.findIndex(({ kind }) => kind !== "space");
    const keyword = prelude[at];
    if (keyword?.kind !== "at") {
      this.#addRules(prelude, body, isConditional);
      return;
    }
    const condition = conditionOf(keyword.value.toLowerCase(), textOf(prelude.slice(at + 1)).trim());
    if (condition !== null && nesting < maxNesting)
      this.visit(body, isConditional || condition === "maybe", nesting + 1);
  }

  visit(tokens: readonly CssToken[], isConditional: boolean, nesting: number): void {
    let begin = 0;
    for (let n = 0; n < tokens.length && this.rules.length < maxRules; n += 1) {
      if (isMark(tokens[n], ";")) begin = n + 1;
      if (!isMark(tokens[n], "{")) continue;
      const close = endOfBlock(tokens, n);
      this.#addBlock(tokens.slice(begin, n), tokens.slice(n + 1, close), isConditional, nesting);
      n = close;
      begin = close + 1;
    }
  }
}

/** Reads from a style sheet the rules that decide whether elements are seen. */
export const readRules = (sheet: string): readonly Rule[] => {
  const reader = new RuleReader();
  // The marks of comments in HTML mean nothing in a style sheet.
  if (mayMatter.test(sheet)) reader.visit(readCss(sheet.replaceAll(/<!--|-->/g, " ")), false, 0);
  return reader.rules;
};
