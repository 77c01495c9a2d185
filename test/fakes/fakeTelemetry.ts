import type { Telemetry, TelemetryAttributes } from "../../core/ports/telemetry.ts";

export interface Told {
  readonly name: string;
  readonly attributes: TelemetryAttributes;
}

export interface FakeTelemetry extends Telemetry {
  readonly events: readonly Told[];
  /** Those that have ended. */
  readonly spans: readonly Told[];
}

/** An operator who watches everything. */
export const createFakeTelemetry = (): FakeTelemetry => {
  const events: Told[] = [];
  const spans: Told[] = [];
  return {
    events,
    spans,
    event: (name, attributes) => {
      events.push({ name, attributes });
    },
    span: (name, attributes) => (outcome) => {
      spans.push({ name, attributes: { ...attributes, ...outcome } });
    },
  };
};
