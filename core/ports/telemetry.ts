/** The attributes of an event or span; never an address, subject, body, code or token. */
export type TelemetryAttributes = Readonly<Record<string, string | number | boolean>>;

/** Sends usage and performance data to the operator. Names and attributes follow OpenTelemetry's conventions. */
export interface Telemetry {
  readonly event: (name: string, attributes: TelemetryAttributes) => void;
  /** Starts a span; the returned function ends it with further attributes. */
  readonly span: (name: string, attributes: TelemetryAttributes) => (outcome: TelemetryAttributes) => void;
}
