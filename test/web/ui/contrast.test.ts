import { readFileSync } from "node:fs";
import { expect } from "chai";

type Theme = "light" | "dark";

const tokens = readFileSync(new URL("../../../web/styles/tokens.css", import.meta.url), "utf8");

const colors: ReadonlyMap<string, Readonly<Record<Theme, string>>> = new Map(
  [...tokens.matchAll(/--([\w-]+): light-dark\((#\w{6}), (#\w{6})\);/g)].map(
    ([, name = "", light = "", dark = ""]) => [name, { light, dark }],
  ),
);

const color = (name: string, theme: Theme): string => {
  const pair = colors.get(name);
  if (pair === undefined) throw new Error(`tokens.css has no opaque colour --${name}`);
  return pair[theme];
};

const channel = (hex: string): number => {
  const share = Number.parseInt(hex, 16) / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
};

/** Returns the relative luminance (WCAG 2.2). */
const luminance = (hex: string): number =>
  0.2126 * channel(hex.slice(1, 3)) + 0.7152 * channel(hex.slice(3, 5)) + 0.0722 * channel(hex.slice(5, 7));

const contrast = (one: string, other: string): number => {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
};

const grounds = ["ground", "surface", "surface-raised", "surface-sunken", "surface-control", "surface-hover"];

const textPairs: readonly (readonly [string, string])[] = [
  ...grounds.flatMap((ground) =>
    ["text", "text-muted", "text-subtle", "accent", "danger", "success", "warning"].map(
      (text) => [text, ground] as const,
    ),
  ),
  ...["text", "text-muted"].map((text) => [text, "surface-pressed"] as const),
  ...["accent", "success", "warning", "danger"].flatMap((kind) => [
    [kind, `${kind}-soft`] as const,
    ["text", `${kind}-soft`] as const,
    ["text-muted", `${kind}-soft`] as const,
  ]),
  ["text", "selection"],
  ["text-muted", "selection"],
  ["on-ink", "ink"],
  ["on-ink", "ink-hover"],
  ["on-accent", "accent"],
  ["on-danger", "danger-fill"],
  ["on-danger", "danger-fill-hover"],
];

const shapePairs: readonly (readonly [string, string])[] = [
  ...["ground", "surface", "surface-raised"].flatMap((ground) =>
    ["line-control", "focus", "accent", "ink", "danger", "danger-fill"].map(
      (shape) => [shape, ground] as const,
    ),
  ),
  ["line-control", "surface-sunken"],
  ...["chart-1", "chart-2", "chart-3", "chart-4", "chart-5", "chart-6", "chart-7"].flatMap((series) =>
    ["surface", "surface-sunken"].map((ground) => [series, ground] as const),
  ),
  ["on-accent", "accent"],
  ...["accent", "warning-fill", "danger"].map((fill) => [fill, "surface-pressed"] as const),
  ...["accent-soft", "success-soft", "warning-soft", "danger-soft"].map((soft) => ["focus", soft] as const),
];

for (const theme of ["light", "dark"] as const)
  describe(`The colors of the ${theme} theme`, () => {
    for (const [text, ground] of textPairs)
      it(`give ${text} on ${ground} a contrast of at least 4.5:1`, () => {
        expect(contrast(color(text, theme), color(ground, theme))).to.be.at.least(4.5);
      });

    for (const [shape, ground] of shapePairs)
      it(`give ${shape} on ${ground} a contrast of at least 3:1`, () => {
        expect(contrast(color(shape, theme), color(ground, theme))).to.be.at.least(3);
      });
  });

/** The series that stand beside each other: in the bars of mail, and in a ring, whose last part touches the first. */
const neighbors: readonly (readonly [number, number])[] = [
  [1, 5],
  ...[2, 3, 4, 5, 6].map((series) => [1, series] as const),
  ...[1, 2, 3, 4, 5, 6].map((series) => [series, 7] as const),
  ...[2, 3, 4, 5].map((series) => [series, series + 1] as const),
];

describe("The series of charts that stand beside each other", () => {
  for (const theme of ["light", "dark"] as const)
    for (const [one, other] of neighbors)
      it(`differ in luminance by at least 1.6:1: ${one} and ${other} in the ${theme} theme`, () => {
        const [first, second] = [color(`chart-${one}`, theme), color(`chart-${other}`, theme)];
        expect(contrast(first, second)).to.be.at.least(1.6);
      });
});

describe("The design tokens", () => {
  it("define every color for both themes", () => {
    const raw = tokens.replace(/light-dark\([^()]*\)/g, "");
    expect(raw).to.not.match(/#[0-9a-f]{3,8}\b/i);
  });

  it("stop all motion for users who prefer reduced motion", () => {
    const reduced = tokens.slice(tokens.indexOf("prefers-reduced-motion"));
    for (const [, name = ""] of tokens.matchAll(/(--motion-\w+): [1-9]\d*ms/g))
      expect(reduced).to.include(`${name}: 0ms`);
  });
});
