import { type KeyboardEvent, type PointerEvent, useState } from "react";
import { formatNumber } from "../format/numbers.ts";
import { classes } from "../ui/classes.ts";
import { axisMaximum, labelledAt } from "./axis.ts";
import { ChartFigure } from "./ChartFigure.tsx";
import { ChartTip } from "./ChartTip.tsx";
import styles from "./Columns.module.css";
import { type ChartPart, SeriesKeys, seriesBox } from "./series.tsx";
import { sum } from "./shares.ts";

export interface Column {
  readonly key: string;
  /** "Nov 20". */
  readonly label: string;
  /** The label with more room: "Friday, November 20"; the label where it is missing. */
  readonly longLabel?: string | undefined;
  /** One value per part, stacked from the bottom. */
  readonly values: readonly number[];
  /** Stands in place of the values where nothing was counted: "Not counted yet". */
  readonly note?: string | undefined;
}

export interface ColumnsProps {
  readonly name: string;
  /** The heading of the column labels: "Day". */
  readonly of: string;
  readonly parts: readonly ChartPart[];
  /** In chronological order. */
  readonly columns: readonly Column[];
}

const spoken = ({ label, longLabel = label, values, note }: Column, parts: readonly ChartPart[]): string =>
  `${longLabel}: ${note ?? parts.map((part, n) => `${part.label} ${formatNumber(values[n] ?? 0)}`).join(", ")}`;

/** Returns the column that each key moves to, from a column among `count`. */
const steps: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowLeft: (at) => at - 1,
  ArrowDown: (at) => at - 1,
  ArrowRight: (at) => at + 1,
  ArrowUp: (at) => at + 1,
  PageUp: (at) => at + 7,
  PageDown: (at) => at - 7,
  Home: () => 0,
  End: (_, count) => count - 1,
};

const Stack = ({
  column,
  parts,
  ceiling,
}: { column: Column; ceiling: number } & Pick<ColumnsProps, "parts">) => {
  const total = sum(column.values);
  if (total === 0) return null;
  return (
    <span className={styles.stack} style={{ blockSize: `${(100 * total) / ceiling}%` }}>
      {parts.map(({ label, series }, n) => {
        const value = column.values[n] ?? 0;
        if (value === 0) return null;
        return (
          <span key={label} className={classes(styles.part, seriesBox(series))} style={{ flexGrow: value }} />
        );
      })}
    </span>
  );
};

/** The columns, and the figures of the one that the pointer or the keys have reached. */
const Field = ({ name, of, parts, columns, ceiling }: ColumnsProps & { readonly ceiling: number }) => {
  const [active, setActive] = useState<number | null>(null);
  const [lastAt, setLastAt] = useState(columns.length - 1);
  const count = columns.length;
  const at = Math.min(lastAt, count - 1);
  const shown = active === null ? undefined : columns[Math.min(active, count - 1)];
  const totals = parts.map(
    ({ label }, n) => `${label} ${formatNumber(sum(columns.map(({ values }) => values[n] ?? 0)))}`,
  );
  const show = (index: number): void => {
    const next = Math.max(0, Math.min(count - 1, index));
    setLastAt(next);
    setActive(next);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "Escape" && active !== null) {
      event.stopPropagation();
      setActive(null);
      return;
    }
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    show(step(at, count));
  };
  const onPointer = (event: PointerEvent<HTMLElement>): void => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    show(Math.floor((count * (event.clientX - left)) / width));
  };
  const current = columns[at];
  return (
    <div
      className={styles.field}
      role="slider"
      tabIndex={0}
      aria-label={`${name}, ${of.toLowerCase()} by ${of.toLowerCase()}`}
      aria-orientation="horizontal"
      aria-valuemin={1}
      aria-valuemax={count}
      aria-valuenow={at + 1}
      aria-valuetext={current && spoken(current, parts)}
      onKeyDown={onKeyDown}
      onFocus={(event) => {
        if (event.currentTarget.matches(":focus-visible")) show(at);
      }}
      onBlur={() => setActive(null)}
      onPointerMove={onPointer}
      onPointerDown={onPointer}
      onPointerLeave={() => setActive(null)}
    >
      <div className={styles.columns} role="img" aria-label={`${name}: ${totals.join(", ")}`}>
        {columns.map((column, n) => (
          <span key={column.key} className={classes(styles.band, n === active && styles.active)}>
            <Stack column={column} parts={parts} ceiling={ceiling} />
          </span>
        ))}
      </div>
      {shown && (
        <ChartTip
          title={shown.longLabel ?? shown.label}
          parts={parts}
          values={shown.values}
          note={shown.note}
          at={((active ?? 0) + 0.5) / count}
        />
      )}
    </div>
  );
};

/** A stacked column chart of counts over time. Its figures are read one by one with the pointer or the arrow keys. */
export const Columns = (props: ColumnsProps) => {
  const { name, of, parts, columns } = props;
  const ceiling = axisMaximum(Math.max(0, ...columns.map(({ values }) => sum(values))));
  return (
    <ChartFigure
      name={name}
      drawing={{ kind: "columns", parts, columns, ceiling }}
      table={{
        columns: [of, ...parts.map(({ label }) => label), "In all"],
        rows: columns
          .map(({ key, label, values }) => ({ key, name: label, cells: [...values, sum(values)] }))
          .toReversed(),
      }}
    >
      <SeriesKeys parts={parts} />
      <div className={styles.chart}>
        <div className={styles.heights} aria-hidden="true">
          <span>{formatNumber(ceiling)}</span>
          <span>0</span>
        </div>
        <Field {...props} ceiling={ceiling} />
        <div className={styles.times} aria-hidden="true">
          {labelledAt(columns.length).map((at) => (
            <span key={at}>{columns[at]?.label}</span>
          ))}
        </div>
      </div>
    </ChartFigure>
  );
};
