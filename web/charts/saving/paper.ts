import type { Series } from "../series.tsx";

/** The colors of the light theme and the font, by name, that a picture on paper is drawn with. */
export interface Paper {
  readonly ground: string;
  readonly text: string;
  readonly line: string;
  readonly series: Readonly<Record<Series, string>>;
  readonly font: string;
}

/** The light one of a token's pair of colors: "light-dark(#fff, #000)". */
const lightOf = (token: string): string => /^light-dark\(([^,]+),/.exec(token)?.[1]?.trim() ?? token;

/** Reads the colors and the font from the tokens of the page, whatever its theme. */
export const readPaper = (): Paper => {
  const styles = getComputedStyle(document.documentElement);
  const token = (name: string): string => styles.getPropertyValue(`--${name}`).trim();
  const color = (name: string): string => lightOf(token(name));
  return {
    ground: color("paper"),
    text: color("text"),
    line: color("line-strong"),
    series: {
      1: color("chart-1"),
      2: color("chart-2"),
      3: color("chart-3"),
      4: color("chart-4"),
      5: color("chart-5"),
      6: color("chart-6"),
      7: color("chart-7"),
    },
    font: token("font-sans"),
  };
};

/** The line between two stripes of a hatched area, and where it is drawn on its tile. */
export const hatched: Series = 5;
export const hatchTile = 6;
export const hatchLine = "M-1.5 1.5L1.5 -1.5M0 6L6 0M4.5 7.5L7.5 4.5";
export const hatchWidth = 1.5;
export const weights = { regular: 400, strong: 600 } as const;
