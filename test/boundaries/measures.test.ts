import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";

const root = join(import.meta.dirname, "..", "..");

/** What a screen may say itself: lines of 1 and 2 px, and the width of a text in its own characters. */
const isFree = (amount: string, unit: string): boolean =>
  unit === "ch" || (unit === "px" && (amount === "1" || amount === "2")) || Number(amount) === 0;

const lengths = /(?<![\w.#])(\d*\.?\d+)(px|rem|em|ch|ex|lh|vh|vw|dvh|dvw|svh|lvh|cqw|cqi|pt|cm|mm|in)\b/g;

const colors =
  /#[0-9a-f]{3,8}\b|\b(?:rgba?|hsla?|hwb|oklch|oklab|lab|lch|light-dark)\(|(?<![\w-])(?:black|white|red|green|blue|gray|grey|yellow|orange)(?![\w-])/gi;

interface Declaration {
  readonly property: string;
  readonly value: string;
}

/** Returns the declarations of a stylesheet, without those of keyframes and without the conditions of media queries. */
const declarationsIn = (css: string): readonly Declaration[] =>
  [...css.replace(/\/\*[\s\S]*?\*\//g, "").matchAll(/(?<=[{;]\s*)([a-z-]+)\s*:\s*([^;{}]+)(?=[;}])/g)].map(
    ([, property = "", value = ""]) => ({ property, value: value.trim() }),
  );

const literalsIn = (value: string): readonly string[] => [
  ...[...value.matchAll(lengths)]
    .filter(([, amount = "", unit = ""]) => !isFree(amount, unit))
    .map(([length]) => length),
  ...(value.match(colors) ?? []),
];

/** Returns the measures that a screen's stylesheet says itself. */
const ownMeasures = (css: string): readonly string[] =>
  declarationsIn(css).flatMap(({ property, value }) =>
    property === "font-size" &&
    !/^(?:0|inherit|(?:calc\([\d.* ]*)?var\(--type-(?:xs|sm|md|lg|xl)\)\)?)$/.test(value)
      ? [`${property}: ${value}`]
      : literalsIn(value).map((literal) => `${property}: ${literal}`),
  );

/** Returns the sizes of type and the colors that a component's stylesheet says itself. */
const ownLooks = (css: string): readonly string[] =>
  declarationsIn(css).flatMap(({ property, value }) => [
    ...(property === "font-size" && !/^(?:0|inherit|var\(--type-(?:xs|sm|md|lg|xl)\))$/.test(value)
      ? [`${property}: ${value}`]
      : []),
    ...(value.match(colors) ?? []).map((literal) => `${property}: ${literal}`),
  ]);

/** Returns the measures in the markup of a screen: of inline styles, and of the properties of components. */
const measuresInMarkup = (code: string): readonly string[] =>
  [...code.matchAll(/\b(style=\{\{[\s\S]*?\}\}|(?:height|width|gap|padding)="[^"]*")/g)].flatMap(
    ([, text = ""]) => literalsIn(text).map((literal) => `${text}: ${literal}`),
  );

const complaintsAbout = (pattern: string, find: (text: string) => readonly string[]): readonly string[] =>
  globSync(pattern, { cwd: root }).flatMap((file) =>
    find(readFileSync(join(root, file), "utf8")).map((complaint) => `${file} has ${complaint}`),
  );

describe("The measures of the page", () => {
  it("are told from tokens, lines and conditions", () => {
    const screen = `.a { width: min(100%, 26rem); padding: 0 var(--space-2) 3px; border: 1px solid #fff; }
      .b { max-width: 44ch; flex: 1 1 0; margin: -2px; font-size: var(--type-md); color: var(--red); }
      @media (width < 768px) { .c { font-size: 1rem; inset: calc(50% - var(--space-1)); } }
      /* .d { width: 4rem; } */ .e { background: white; white-space: pre; grid-template: "a b" 3.5rem / 1fr; }`;
    expect(ownMeasures(screen)).to.deep.equal([
      "width: 26rem",
      "padding: 3px",
      "border: #fff",
      "font-size: 1rem",
      "background: white",
      "grid-template: 3.5rem",
    ]);
    expect(ownLooks(".a { gap: 0.375rem; font-size: 1rem; } .b { color: rgb(1 2 3); }")).to.deep.equal([
      "font-size: 1rem",
      "color: rgb(",
    ]);
    expect(
      measuresInMarkup('<Skeleton width="24rem" height="9rem" /><p style={{ gap: "3px", width: share }} />'),
    ).to.have.lengthOf(3);
  });

  it("are tokens in the stylesheets of screens", () => {
    expect(complaintsAbout("web/{app,features}/**/*.css", ownMeasures)).to.deep.equal([]);
  });

  it("are not in the markup of screens", () => {
    expect(complaintsAbout("web/{app,features}/**/*.tsx", measuresInMarkup)).to.deep.equal([]);
  });

  it("have one scale of type, and one palette, in the components", () => {
    expect(complaintsAbout("web/ui/**/*.css", ownLooks)).to.deep.equal([]);
  });
});
