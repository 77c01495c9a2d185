import type { Telemetry, TelemetryAttributes } from "../../core/ports/telemetry.ts";

export interface TelemetryRecord {
  readonly name: string;
  readonly attributes: TelemetryAttributes;
}

export interface FakeTelemetry extends Telemetry {
  readonly events: readonly TelemetryRecord[];
  /** The operations that have ended. */
  readonly spans: readonly TelemetryRecord[];
}

/** A telemetry adapter that records everything. */
export const createFakeTelemetry = (): FakeTelemetry => {
  const events: TelemetryRecord[] = [];
  const spans: TelemetryRecord[] = [];
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
