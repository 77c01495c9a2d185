import { cut, fill, plain, widthOf } from "./text.ts";

/** A column of a table. */
export interface Column {
  readonly title: string;
  /** The width below which the column is not cut; a column without it is shown whole. */
  readonly least?: number;
  readonly isRight?: boolean;
}

/** Marks up the text of a cell after it was measured. */
export type Paint = (text: string, row: number, column: number) => string;

const gap = "  ";

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

/** Shrinks the widest columns that can be cut until the row fits; null where it cannot. */
const shrunk = (
  widths: readonly number[],
  columns: readonly Column[],
  width: number,
): readonly number[] | null => {
  const room = width - gap.length * (columns.length - 1);
  const now = [...widths];
  while (sum(now) > room) {
    const shrinkable = columns.flatMap(({ least }, n) =>
      least !== undefined && (now[n] ?? 0) > least ? [n] : [],
    );
    const widest = shrinkable.toSorted((a, b) => (now[b] ?? 0) - (now[a] ?? 0))[0];
    if (widest === undefined) return null;
    now[widest] = (now[widest] ?? 0) - 1;
  }
  return now;
};

/** One row below another: the first cell whole, the others in a line below it. */
const stacked = (rows: readonly (readonly string[])[], width: number, paint: Paint): readonly string[] =>
  rows.flatMap(([first = "", ...rest], n) => {
    const line = cut(rest.filter((cell) => cell !== "").join(gap), width - gap.length);
    return [paint(first, n, 0), ...(line === "" ? [] : [gap + line])];
  });

/**
 * Lays rows out as a table of at most `width` cells, Infinity for a file. Long columns are cut; where that is not enough,
 * each row takes two lines.
 */
export const layOut = (
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width: number,
  paint: Paint = (text) => text,
): readonly string[] => {
  const cells = rows.map((row) => row.map(plain));
  const natural = columns.map(({ title }, n) =>
    Math.max(widthOf(title), ...cells.map((row) => widthOf(row[n] ?? ""))),
  );
  const widths = shrunk(natural, columns, width);
  if (widths === null) return stacked(cells, width, paint);
  const lineOf = (row: readonly string[], at: number): string =>
    columns
      .map(({ isRight = false }, n) => {
        const text = cut(row[n] ?? "", widths[n] ?? 0);
        const isLast = n === columns.length - 1;
        const filled = isLast && !isRight ? text : fill(text, widths[n] ?? 0, isRight);
        return paint(filled, at, n);
      })
      .join(gap)
      .trimEnd();
  return [
    lineOf(
      columns.map(({ title }) => title),
      -1,
    ),
    ...cells.map(lineOf),
  ];
};

/** Lays out names and values, a line each; a value without text is left out. */
export const layOutFacts = (facts: readonly (readonly [string, string])[]): readonly string[] => {
  const shown = facts.filter(([, value]) => value !== "");
  const width = Math.max(0, ...shown.map(([name]) => widthOf(name)));
  return shown.map(([name, value]) => `${fill(name, width)}${gap}${plain(value)}`);
};
