import { area, curveMonotoneX, stack } from "d3-shape";
import styles from "./AreaChart.module.css";
import { ChartFigure } from "./ChartFigure.tsx";
import { figure } from "./numbers.ts";
import { type Part, SeriesKeys } from "./SeriesKey.tsx";
import { paint } from "./series.ts";

export interface AreaPoint {
  readonly key: string;
  /** "Nov 20". */
  readonly label: string;
  /** One for each of the parts, one above the other. */
  readonly values: readonly number[];
}

export interface AreaChartProps {
  readonly name: string;
  /** What a point is: "Day". */
  readonly of: string;
  readonly parts: readonly Part[];
  /** The earliest first. */
  readonly points: readonly AreaPoint[];
}

const width = 600;
const height = 160;

/** A round number not below the highest point: 1, 2 or 5 with zeros behind it, or a multiple of them. */
const ceilingOf = (highest: number): number => {
  if (highest <= 2) return 2;
  const power = 10 ** Math.floor(Math.log10(highest));
  return [1, 2, 4, 5, 10].map((step) => step * power).find((ceiling) => ceiling >= highest) ?? highest;
};

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);

/** One point alone would have no width: it stands over all of it. */
const drawable = (points: readonly AreaPoint[]): readonly AreaPoint[] => {
  const [only] = points;
  return points.length === 1 && only ? [only, { ...only, key: `${only.key} again` }] : points;
};

/** Counts over time, their parts one above the other. */
export const AreaChart = ({ name, of, parts, points }: AreaChartProps) => {
  const drawn = drawable(points);
  const ceiling = ceilingOf(Math.max(0, ...points.map(({ values }) => sum(values))));
  const x = (at: number): number => (at * width) / Math.max(1, drawn.length - 1);
  const y = (value: number): number => height - (value * height) / ceiling;
  const layers = stack<AreaPoint, number>()
    .keys(parts.map((_, at) => at))
    .value(({ values }, at) => values[at] ?? 0)([...drawn]);
  const shape = area<readonly [number, number]>()
    .x((_, at) => x(at))
    .y0(([low]) => y(low))
    .y1(([, high]) => y(high))
    .curve(curveMonotoneX);
  const totals = parts.map(
    ({ label }, at) => `${label} ${figure(sum(points.map(({ values }) => values[at] ?? 0)))}`,
  );
  const band = width / Math.max(1, drawn.length);

  return (
    <ChartFigure
      name={name}
      table={{
        columns: [of, ...parts.map(({ label }) => label), "In all"],
        rows: points
          .map(({ key, label, values }) => ({ key, name: label, cells: [...values, sum(values)] }))
          .toReversed(),
      }}
    >
      <SeriesKeys parts={parts} />
      <div className={styles.chart}>
        <div className={styles.heights} aria-hidden="true">
          <span>{figure(ceiling)}</span>
          <span>{figure(ceiling / 2)}</span>
          <span>0</span>
        </div>
        <svg
          className={styles.area}
          viewBox={`0 0 ${width} ${height}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`${name}: ${totals.join(", ")}`}
        >
          {[0, 0.5, 1].map((share) => (
            <line key={share} className={styles.line} x2={width} y1={height * share} y2={height * share} />
          ))}
          {parts.map(({ label, series }, at) => (
            <path
              key={label}
              className={paint(series)}
              d={shape((layers[at] ?? []).map(([low, high]) => [low, high] as const)) ?? ""}
            />
          ))}
          {points.map(({ key, label, values }, at) => (
            <rect
              key={key}
              className={styles.band}
              x={Math.max(0, x(at) - band / 2)}
              width={band}
              height={height}
            >
              <title>
                {`${label}: ${parts.map((part, n) => `${part.label} ${figure(values[n] ?? 0)}`).join(", ")}`}
              </title>
            </rect>
          ))}
        </svg>
        <div className={styles.times} aria-hidden="true">
          <span>{points[0]?.label}</span>
          {points.length > 1 && <span>{points.at(-1)?.label}</span>}
        </div>
      </div>
    </ChartFigure>
  );
};
