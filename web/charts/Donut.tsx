import { arc, type PieArcDatum, pie } from "d3-shape";
import { useId } from "react";
import { formatNumber } from "../format/numbers.ts";
import { ChartFigure } from "./ChartFigure.tsx";
import styles from "./Donut.module.css";
import { fillOf, restSeries, type Series, SeriesKey, SeriesPatterns, seriesAt } from "./series.tsx";
import { formatShare } from "./shares.ts";

export interface Slice {
  readonly key: string;
  readonly label: string;
  readonly value: number;
  /** The remainder of all other slices, drawn in the muted series. */
  readonly isRest?: boolean;
}

export interface DonutProps {
  readonly name: string;
  /** The heading of the slice labels: "Category". */
  readonly of: string;
  /** The unit of the total: "mails". */
  readonly unit: string;
  /** In descending order of value. */
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

/** A ring chart with the total in its middle and a legend beside it. */
export const Donut = ({ name, of, unit, slices }: DonutProps) => {
  const id = useId();
  const total = slices.reduce((sum, { value }) => sum + value, 0);
  const spokenValues = slices.map(({ label, value }) => `${label} ${formatNumber(value)}`).join(", ");
  return (
    <ChartFigure
      name={name}
      drawing={{
        kind: "donut",
        unit,
        slices: slices.map((slice, at) => ({ ...slice, series: seriesOf(slice, at) })),
      }}
      table={{
        columns: [of, "Count", "Share"],
        rows: slices.map(({ key, label, value }) => ({
          key,
          name: label,
          cells: [value, formatShare(value, total)],
        })),
      }}
    >
      <div className={styles.donut}>
        <svg
          viewBox="-50 -50 100 100"
          className={styles.ring}
          role="img"
          aria-label={`${name}: ${spokenValues}`}
        >
          <SeriesPatterns id={id} />
          {layout([...slices]).map((slice, at) => (
            <path key={slice.data.key} d={shape(slice) ?? ""} fill={fillOf(id, seriesOf(slice.data, at))} />
          ))}
          <text className={styles.whole} y="1">
            {formatNumber(total)}
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
              <span className={styles.value}>{formatNumber(slice.value)}</span>
              <span className={styles.share}>{formatShare(slice.value, total)}</span>
            </li>
          ))}
        </ul>
      </div>
    </ChartFigure>
  );
};
