import { stack } from "d3-shape";
import { ChartFigure, formatNumber, sum } from "./ChartFigure.tsx";
import styles from "./Columns.module.css";
import { type ChartPart, SeriesKeys, seriesClass } from "./series.tsx";

export interface Column {
  readonly key: string;
  /** "Nov 20". */
  readonly label: string;
  /** One value per part, stacked from the bottom. */
  readonly values: readonly number[];
}

export interface ColumnsProps {
  readonly name: string;
  /** The heading of the column labels: "Day". */
  readonly of: string;
  readonly parts: readonly ChartPart[];
  /** In chronological order. */
  readonly columns: readonly Column[];
}

const width = 600;
const height = 160;
const gap = 0.2;

/** The minimum number of bands; fewer columns are left-aligned and keep this width. */
const minBandCount = 7;

/** The axis maximum: a round number not below the highest column whose half is an integer. */
const axisMaximum = (highest: number): number => {
  if (highest <= 2) return 2;
  const power = 10 ** Math.floor(Math.log10(highest));
  return [2, 4, 6, 8, 10, 20].map((step) => step * power).find((ceiling) => ceiling >= highest) ?? highest;
};

/** A stacked column chart of counts over time. */
export const Columns = ({ name, of, parts, columns }: ColumnsProps) => {
  const ceiling = axisMaximum(Math.max(0, ...columns.map(({ values }) => sum(values))));
  const y = (value: number): number => height - (value * height) / ceiling;
  const layers = stack<Column, number>()
    .keys(parts.map((_, at) => at))
    .value(({ values }, at) => values[at] ?? 0)([...columns]);
  const totals = parts.map(
    ({ label }, at) => `${label} ${formatNumber(sum(columns.map(({ values }) => values[at] ?? 0)))}`,
  );
  const bandCount = Math.max(minBandCount, columns.length);
  const band = width / bandCount;

  return (
    <ChartFigure
      name={name}
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
          <span>{formatNumber(ceiling / 2)}</span>
          <span>0</span>
        </div>
        <svg
          className={styles.columns}
          viewBox={`0 0 ${width} ${height}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`${name}: ${totals.join(", ")}`}
        >
          {[0, 0.5, 1].map((share) => (
            <line key={share} className={styles.line} x2={width} y1={height * share} y2={height * share} />
          ))}
          {parts.map(({ label, series }, part) => (
            <g key={label} className={seriesClass(series)}>
              {columns.map(({ key }, at) => {
                const [low, high] = layers[part]?.[at] ?? [0, 0];
                return (
                  <rect
                    key={key}
                    x={(at + gap / 2) * band}
                    width={band * (1 - gap)}
                    y={y(high)}
                    height={y(low) - y(high)}
                  />
                );
              })}
            </g>
          ))}
          {columns.map(({ key, label, values }, at) => (
            <rect key={key} className={styles.band} x={at * band} width={band} height={height}>
              <title>
                {`${label}: ${parts.map((part, n) => `${part.label} ${formatNumber(values[n] ?? 0)}`).join(", ")}`}
              </title>
            </rect>
          ))}
        </svg>
        <div
          className={styles.times}
          style={{ inlineSize: `${(100 * columns.length) / bandCount}%` }}
          aria-hidden="true"
        >
          <span>{columns[0]?.label}</span>
          {columns.length > 1 && <span>{columns.at(-1)?.label}</span>}
        </div>
      </div>
    </ChartFigure>
  );
};
