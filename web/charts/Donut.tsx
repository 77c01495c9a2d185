import { arc, type PieArcDatum, pie } from "d3-shape";
import { ChartFigure } from "./ChartFigure.tsx";
import styles from "./Donut.module.css";
import { figure, shareOf } from "./numbers.ts";
import { SeriesKey } from "./SeriesKey.tsx";
import { paint, restSeries, type Series, seriesAt } from "./series.ts";

export interface Slice {
  readonly key: string;
  readonly label: string;
  readonly value: number;
  /** What belongs to none of the others: drawn back. */
  readonly isRest?: boolean;
}

export interface DonutProps {
  readonly name: string;
  /** What a slice is: "Category". */
  readonly of: string;
  /** Of what the slices are parts: "mails". */
  readonly unit: string;
  /** The largest first. */
  readonly slices: readonly Slice[];
}

const seriesOf = ({ isRest = false }: Slice, at: number): Series => (isRest ? restSeries : seriesAt(at));

const radius = 50;
const shape = arc<PieArcDatum<Slice>>()
  .innerRadius(radius * 0.62)
  .outerRadius(radius);
const layout = pie<Slice>()
  .value(({ value }) => value)
  .sort(null);

/** Parts of a whole as a ring, with the whole in its middle and the parts named beside it. */
export const Donut = ({ name, of, unit, slices }: DonutProps) => {
  const whole = slices.reduce((sum, { value }) => sum + value, 0);
  const said = slices.map(({ label, value }) => `${label} ${figure(value)}`).join(", ");
  return (
    <ChartFigure
      name={name}
      table={{
        columns: [of, "Count", "Share"],
        rows: slices.map(({ key, label, value }) => ({
          key,
          name: label,
          cells: [value, shareOf(value, whole)],
        })),
      }}
    >
      <div className={styles.donut}>
        <svg viewBox="-50 -50 100 100" className={styles.ring} role="img" aria-label={`${name}: ${said}`}>
          {layout([...slices]).map((slice, at) => (
            <path key={slice.data.key} d={shape(slice) ?? ""} className={paint(seriesOf(slice.data, at))} />
          ))}
          <text className={styles.whole} y="1">
            {figure(whole)}
          </text>
          <text className={styles.unit} y="14">
            {unit}
          </text>
        </svg>
        <ul className={styles.names}>
          {slices.map((slice, at) => (
            <li key={slice.key}>
              <SeriesKey series={seriesOf(slice, at)} />
              <span className={styles.label}>{slice.label}</span>
              <span className={styles.value}>{figure(slice.value)}</span>
              <span className={styles.share}>{shareOf(slice.value, whole)}</span>
            </li>
          ))}
        </ul>
      </div>
    </ChartFigure>
  );
};
