/** What is told beside a name. Never an address, a subject, a body, a code or a token (D42). */
export type TelemetryAttributes = Readonly<Record<string, string | number | boolean>>;

/** Where the operator learns how the product is doing. Names and attributes as in OpenTelemetry's conventions. */
export interface Telemetry {
  /** Something happened. */
  readonly event: (name: string, attributes: TelemetryAttributes) => void;
  /** Something begins that takes time; the returned function ends it, with what is known by then. */
  readonly span: (name: string, attributes: TelemetryAttributes) => (outcome: TelemetryAttributes) => void;
}
