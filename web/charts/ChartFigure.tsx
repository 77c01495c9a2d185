import { type ReactNode, useId, useState } from "react";
import { formatNumber } from "../format/numbers.ts";
import { retryable } from "../loading/chunk.ts";
import { useApp } from "../react/useApp.ts";
import { Button } from "../ui/Button.tsx";
import { LazyMenu } from "../ui/overlay/Menu.tsx";
import styles from "./ChartFigure.module.css";
import type { ChartDrawing, ChartTable } from "./drawing.ts";

export interface ChartFigureProps {
  /** The title of the chart and the caption of its table. */
  readonly name: string;
  readonly children: ReactNode;
  /** The content of a saved picture of the chart. */
  readonly drawing: ChartDrawing;
  readonly table: ChartTable;
}

const formatCell = (cell: number | string): string => (typeof cell === "number" ? formatNumber(cell) : cell);

const loadMenu = retryable(() => import("./saving/ChartMenu.tsx").then(({ ChartMenu }) => ChartMenu));

/** A chart with a button that shows the same figures as a table, and a menu that saves either. */
export const ChartFigure = ({ name, children, drawing, table }: ChartFigureProps) => {
  const { toasts } = useApp();
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
      <div className={styles.actions}>
        <Button
          size="small"
          variant="quiet"
          aria-controls={id}
          aria-label={`${isTable ? "Show as chart" : "Show as table"}: ${name}`}
          onPress={() => setTable(!isTable)}
        >
          {isTable ? "Show as chart" : "Show as table"}
        </Button>
        <LazyMenu
          label={`Save or copy: ${name}`}
          size="small"
          items={{ name, drawing, table }}
          load={loadMenu}
          onUnavailable={() =>
            toasts.show(
              "error",
              "The menu could not be loaded. Check your connection, then refresh the page.",
            )
          }
        />
      </div>
    </figure>
  );
};
