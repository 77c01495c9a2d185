import { scrubText } from "../../core/kernel/scrubText.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { Random } from "../../core/ports/random.ts";
import type { TelemetryAttributes } from "../../core/ports/telemetry.ts";

interface Resource {
  readonly serviceName: string;
  /** "production" or "development" (OB2). */
  readonly environment: string;
}

/** An OpenTelemetry collector and the ports for sending to it. */
export interface Collector extends Resource {
  /** The URL for OTLP over HTTP, without "/v1/traces". */
  readonly endpoint: string;
  readonly clock: Clock;
  readonly random: Random;
}

// OTLP in JSON: protobuf messages with lowerCamelCase names, 64-bit numbers as text, ids in hexadecimal
// (https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding).

/** Numbers of the protocol. */
const spanKinds = { internal: 1, server: 2, client: 3 } as const;

/** An operation with a duration. Times in milliseconds since 1970. */
export interface SpanRecord {
  readonly traceId: string;
  readonly spanId: string;
  /** The span that it is a part of; absent for the first of its program. */
  readonly parentSpanId?: string;
  /** The side of a request that it measures: the client's (the default), the server's, or neither. */
  readonly kind?: keyof typeof spanKinds;
  readonly name: string;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly attributes: TelemetryAttributes;
}

/** An event at one time, in milliseconds since 1970. */
export interface EventRecord {
  readonly name: string;
  readonly at: number;
  readonly attributes: TelemetryAttributes;
}

const statusError = 2;
const statusUnset = 0;
const informational = 9;

const nanoseconds = (ms: number): string => `${Math.round(ms)}000000`;

const anyValue = (value: string | number | boolean): unknown => {
  if (typeof value === "boolean") return { boolValue: value };
  const scrubbed = scrubText(String(value));
  if (typeof value === "string" || scrubbed !== String(value)) return { stringValue: scrubbed };
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
};

const attributesOf = (attributes: TelemetryAttributes): unknown =>
  Object.entries(attributes).map(([key, value]) => ({ key, value: anyValue(value) }));

const hasFailed = ({ attributes }: SpanRecord): boolean =>
  "error.type" in attributes || Number(attributes["http.response.status_code"] ?? 0) >= 400;

const spanOf = (span: SpanRecord): unknown => ({
  traceId: span.traceId,
  spanId: span.spanId,
  ...(span.parentSpanId === undefined ? {} : { parentSpanId: span.parentSpanId }),
  name: scrubText(span.name),
  kind: spanKinds[span.kind ?? "client"],
  startTimeUnixNano: nanoseconds(span.startedAt),
  endTimeUnixNano: nanoseconds(span.endedAt),
  attributes: attributesOf(span.attributes),
  status: { code: hasFailed(span) ? statusError : statusUnset },
});

const logRecordOf = ({ name, at, attributes }: EventRecord): unknown => ({
  timeUnixNano: nanoseconds(at),
  severityNumber: informational,
  eventName: scrubText(name),
  attributes: attributesOf(attributes),
});

const scope = { name: "bauta" };

const resourceOf = ({ serviceName, environment }: Resource): unknown => ({
  attributes: attributesOf({ "service.name": serviceName, "deployment.environment.name": environment }),
});

/** Creates the body of `POST /v1/traces`. */
export const tracesBody =
  (resource: Resource) =>
  (spans: readonly SpanRecord[]): string =>
    JSON.stringify({
      resourceSpans: [{ resource: resourceOf(resource), scopeSpans: [{ scope, spans: spans.map(spanOf) }] }],
    });

/** Creates the body of `POST /v1/logs`. */
export const logsBody =
  (resource: Resource) =>
  (events: readonly EventRecord[]): string =>
    JSON.stringify({
      resourceLogs: [
        { resource: resourceOf(resource), scopeLogs: [{ scope, logRecords: events.map(logRecordOf) }] },
      ],
    });
