import { type ReactNode, useId, useState } from "react";
import { Button } from "../ui/Button.tsx";
import styles from "./ChartFigure.module.css";

const numberFormat = new Intl.NumberFormat("en");
const percentFormat = new Intl.NumberFormat("en", { style: "percent", maximumFractionDigits: 0 });

/** Formats a number with English separators: "1,234". */
export const formatNumber = (value: number): string => numberFormat.format(value);

/** Formats a share of a total as "12%"; a share above 0 and below half a percent is "<1%". */
export const formatShare = (part: number, whole: number): string => {
  if (whole <= 0) return percentFormat.format(0);
  return part > 0 && part / whole < 0.005 ? "<1%" : percentFormat.format(part / whole);
};

/** The sum of the values; 0 for none. */
export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

export interface ChartTable {
  /** The column headings; the first one is for the row names. */
  readonly columns: readonly string[];
  readonly rows: readonly {
    readonly key: string;
    readonly name: ReactNode;
    readonly cells: readonly (number | string)[];
  }[];
}

export interface ChartFigureProps {
  /** The title of the chart and the caption of its table. */
  readonly name: string;
  readonly children: ReactNode;
  readonly table: ChartTable;
}

const formatCell = (cell: number | string): string => (typeof cell === "number" ? formatNumber(cell) : cell);

/** A chart with a button that shows the same figures as a table. */
export const ChartFigure = ({ name, children, table }: ChartFigureProps) => {
  const [isTable, setTable] = useState(false);
  const id = useId();
  return (
    <figure className={styles.figure} aria-label={name}>
      <div id={id}>
        {isTable ? (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard
          <section className={styles.scroll} aria-label={`${name}, as a table`} tabIndex={0}>
            <table className={styles.table}>
              <caption className="visually-hidden">{name}</caption>
              <thead>
                <tr>
                  {table.columns.map((column) => (
                    <th key={column} scope="col">
                      {column}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {table.rows.map((row) => (
                  <tr key={row.key}>
                    <th scope="row">{row.name}</th>
                    {row.cells.map((cell, at) => (
                      <td key={table.columns[at + 1]}>{formatCell(cell)}</td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
        ) : (
          children
        )}
      </div>
      <Button
        size="small"
        variant="quiet"
        className={styles.way}
        aria-controls={id}
        aria-label={`${isTable ? "Show as chart" : "Show as table"}: ${name}`}
        onPress={() => setTable(!isTable)}
      >
        {isTable ? "Show as chart" : "Show as table"}
      </Button>
    </figure>
  );
};
