/** One figure with its name, as Prometheus reads it; a counter only ever grows. */
export interface Metric {
  readonly name: string;
  readonly kind: "gauge" | "counter";
  readonly help: string;
  /** By the label's value; by "" where there is none. */
  readonly values: Readonly<Record<string, number>>;
  readonly label?: string;
}

const written = ({ name, kind, help, values, label }: Metric): string =>
  [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${kind}`,
    ...Object.entries(values).map(([of, value]) =>
      label === undefined ? `${name} ${value}` : `${name}{${label}="${of}"} ${value}`,
    ),
  ].join("\n");

/** Writes figures in Prometheus' text format, version 0.0.4; labels are words of ours. */
export const writeMetrics = (metrics: readonly Metric[]): string => `${metrics.map(written).join("\n")}\n`;
