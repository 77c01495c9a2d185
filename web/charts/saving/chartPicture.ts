import { arc, pie } from "d3-shape";
import { formatNumber } from "../../format/numbers.ts";
import { labelledAt } from "../axis.ts";
import type { ChartDrawing } from "../drawing.ts";
import type { Series } from "../series.tsx";
import { formatShare, sum } from "../shares.ts";

/** A part of a picture of a chart, in pixels from the upper left corner. */
export type Shape =
  | {
      readonly kind: "area";
      /** The outline, as in the attribute `d` of SVG. */
      readonly d: string;
      readonly series: Series;
      /** The place of the outline's origin. */
      readonly at: readonly [number, number];
    }
  | {
      readonly kind: "line";
      readonly from: readonly [number, number];
      readonly to: readonly [number, number];
    }
  | {
      readonly kind: "text";
      readonly text: string;
      readonly at: readonly [number, number];
      readonly size: number;
      readonly anchor: "start" | "middle" | "end";
      readonly weight: "regular" | "strong";
    };

/** A picture of a chart with its title and its legend, for paper. */
export interface ChartPicture {
  readonly title: string;
  readonly width: number;
  readonly height: number;
  readonly shapes: readonly Shape[];
}

const width = 720;
const margin = 24;
const inner = width - 2 * margin;
const gap = 2;
const swatch = 12;
const body = 13;

/** The most characters of a name that fit beside its value. */
const maxName = 80;
const short = (name: string): string => (name.length > maxName ? `${name.slice(0, maxName - 1)}…` : name);

const text = (
  content: string,
  x: number,
  y: number,
  { size = body, anchor = "start", weight = "regular" }: Partial<Extract<Shape, { kind: "text" }>> = {},
): Shape => ({ kind: "text", text: content, at: [x, y], size, anchor, weight });

const box = (series: Series, x: number, y: number, w: number, h: number): Shape => ({
  kind: "area",
  d: `M0 0H${w.toFixed(2)}V${h.toFixed(2)}H0Z`,
  series,
  at: [x, y],
});

const line = (y: number, from: number): Shape => ({ kind: "line", from: [from, y], to: [width - margin, y] });

/** The names of the series, one behind the other; about 7 pixels a letter. */
const legend = (
  parts: readonly { readonly label: string; readonly series: Series }[],
  y: number,
): readonly Shape[] => {
  const widths = parts.map(({ label }) => swatch + 8 + 7 * label.length + 20);
  return parts.flatMap(({ label, series }, at) => {
    const x = margin + sum(widths.slice(0, at));
    return [box(series, x, y - swatch + 2, swatch, swatch), text(label, x + swatch + 8, y)];
  });
};

/** Divides a length by the values, with gaps between those that are not 0: their starts and lengths. */
const divide = (values: readonly number[], length: number): readonly (readonly [number, number])[] => {
  const total = Math.max(1, sum(values));
  const gaps = gap * Math.max(0, values.filter((value) => value > 0).length - 1);
  const free = Math.max(0, length - gaps);
  return values.map((value, at) => {
    const before = values.slice(0, at);
    return [
      (free * sum(before)) / total + gap * before.filter((one) => one > 0).length,
      (free * value) / total,
    ];
  });
};

const top = 92;

type DrawingOf<K extends ChartDrawing["kind"]> = Extract<ChartDrawing, { readonly kind: K }>;
type Drawn = Pick<ChartPicture, "height" | "shapes">;

const drawColumns = ({ parts, columns, ceiling }: DrawingOf<"columns">): Drawn => {
  const left = margin + 48;
  const tall = 220;
  const band = (width - margin - left) / Math.max(1, columns.length);
  const bottom = top + tall;
  const bars = columns.flatMap(({ values }, at) => {
    const whole = (tall * sum(values)) / Math.max(1, ceiling);
    return divide(values, whole).flatMap(([start, length], n) => {
      const series = parts[n]?.series;
      if (series === undefined || length === 0) return [];
      return [
        box(series, left + at * band + gap / 2, bottom - start - length, Math.max(1, band - gap), length),
      ];
    });
  });
  const labels = labelledAt(columns.length).map((at, n, all) =>
    text(
      columns[at]?.label ?? "",
      n === 0 ? left : n === all.length - 1 ? width - margin : left + (at + 0.5) * band,
      bottom + 20,
      { anchor: n === 0 ? "start" : n === all.length - 1 ? "end" : "middle" },
    ),
  );
  return {
    height: bottom + 20 + margin,
    shapes: [
      ...legend(parts, 68),
      line(top, left),
      line(top + tall / 2, left),
      line(bottom, left),
      text(formatNumber(ceiling), left - 8, top + 4, { anchor: "end" }),
      text("0", left - 8, bottom + 4, { anchor: "end" }),
      ...bars,
      ...labels,
    ],
  };
};

const drawBars = ({ parts, bars, longest }: DrawingOf<"bars">): Drawn => {
  const isStacked = parts.length > 1;
  const start = isStacked ? top : 68;
  const each = 40;
  const thick = 10;
  const rows = bars.flatMap(({ label, values }, at) => {
    const y = start + at * each;
    const whole = (inner * sum(values)) / Math.max(1, longest);
    return [
      text(short(label), margin, y),
      text(formatNumber(sum(values)), width - margin, y, { anchor: "end", weight: "strong" }),
      ...divide(values, whole).flatMap(([from, length], n) => {
        const series = parts[n]?.series;
        return series === undefined || length === 0 ? [] : [box(series, margin + from, y + 7, length, thick)];
      }),
    ];
  });
  return {
    height: start + bars.length * each + margin / 2,
    shapes: [...(isStacked ? legend(parts, 68) : []), ...rows],
  };
};

const drawDonut = ({ unit, slices }: DrawingOf<"donut">): Drawn => {
  const radius = 100;
  const total = sum(slices.map(({ value }) => value));
  const center = [margin + radius, 60 + radius] as const;
  const outline = arc<{ startAngle: number; endAngle: number }>()
    .innerRadius(radius * 0.62)
    .outerRadius(radius)
    .padAngle(slices.length > 1 ? 0.02 : 0);
  const angles = pie<(typeof slices)[number]>()
    .value(({ value }) => value)
    .sort(null)([...slices]);
  const left = center[0] + radius + 48;
  return {
    height: Math.max(60 + 2 * radius, 60 + slices.length * 26) + margin,
    shapes: [
      ...angles.map(
        (angle): Shape => ({
          kind: "area",
          d: outline(angle) ?? "",
          series: angle.data.series,
          at: center,
        }),
      ),
      text(formatNumber(total), center[0], center[1] + 2, { size: 26, anchor: "middle", weight: "strong" }),
      text(unit, center[0], center[1] + 22, { anchor: "middle" }),
      ...slices.flatMap(({ label, value, series }, at) => {
        const y = 80 + at * 26;
        return [
          box(series, left, y - swatch + 2, swatch, swatch),
          text(short(label), left + swatch + 10, y),
          text(formatNumber(value), width - margin - 60, y, { anchor: "end", weight: "strong" }),
          text(formatShare(value, total), width - margin, y, { anchor: "end" }),
        ];
      }),
    ],
  };
};

const draw = (drawing: ChartDrawing): Drawn => {
  switch (drawing.kind) {
    case "columns":
      return drawColumns(drawing);
    case "bars":
      return drawBars(drawing);
    case "donut":
      return drawDonut(drawing);
  }
};

/** Draws a chart for paper, with its title and its legend. */
export const chartPicture = (title: string, drawing: ChartDrawing): ChartPicture => {
  const { height, shapes } = draw(drawing);
  return {
    title,
    width,
    height,
    shapes: [text(title, margin, 36, { size: 18, weight: "strong" }), ...shapes],
  };
};
