import type { ChartPart, Series } from "./series.tsx";

/** The figures that a chart's picture is made of, by its kind. */
export type ChartDrawing =
  | {
      readonly kind: "columns";
      readonly parts: readonly ChartPart[];
      readonly columns: readonly { readonly label: string; readonly values: readonly number[] }[];
      /** The value at the upper edge. */
      readonly ceiling: number;
    }
  | {
      readonly kind: "bars";
      readonly parts: readonly ChartPart[];
      readonly bars: readonly { readonly label: string; readonly values: readonly number[] }[];
      /** The value of a bar of the whole width. */
      readonly longest: number;
    }
  | {
      readonly kind: "donut";
      readonly unit: string;
      readonly slices: readonly { readonly label: string; readonly value: number; readonly series: Series }[];
    };

/** The figures of a chart as a table. */
export interface ChartTable {
  /** The column headings; the first one is for the row names. */
  readonly columns: readonly string[];
  readonly rows: readonly {
    readonly key: string;
    readonly name: string;
    readonly cells: readonly (number | string)[];
  }[];
}
