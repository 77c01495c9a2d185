import { type ReactNode, useId, useState } from "react";
import { Button } from "../ui/Button.tsx";
import styles from "./ChartFigure.module.css";
import { figure } from "./numbers.ts";

export interface ChartTable {
  /** Of the columns; the first names the rows. */
  readonly columns: readonly string[];
  readonly rows: readonly {
    readonly key: string;
    readonly name: ReactNode;
    readonly cells: readonly (number | string)[];
  }[];
}

export interface ChartFigureProps {
  /** What is shown, as a heading of the table would say it. */
  readonly name: string;
  readonly children: ReactNode;
  readonly table: ChartTable;
}

const written = (cell: number | string): string => (typeof cell === "number" ? figure(cell) : cell);

/** A chart, and the same figures as a table one key away. */
export const ChartFigure = ({ name, children, table }: ChartFigureProps) => {
  const [isTable, setTable] = useState(false);
  const id = useId();
  return (
    <figure className={styles.figure} aria-label={name}>
      <div id={id}>
        {isTable ? (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
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
                      <td key={table.columns[at + 1]}>{written(cell)}</td>
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
