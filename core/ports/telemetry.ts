/** The attributes of an event or span; never an address, subject, body, code or token. */
export type TelemetryAttributes = Readonly<Record<string, string | number | boolean>>;

/** Sends usage and performance data to the operator. Names and attributes follow OpenTelemetry's conventions. */
export interface Telemetry {
  readonly event: (name: string, attributes: TelemetryAttributes) => void;
  /**
   * Starts a span; the returned function ends it with further attributes. `traceId` (32 hexadecimal digits) is of the
   * trace to which the server adds its own spans; without one the span has a trace of its own.
   */
  readonly span: (
    name: string,
    attributes: TelemetryAttributes,
    traceId?: string,
  ) => (outcome: TelemetryAttributes) => void;
}
