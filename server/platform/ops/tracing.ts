import { createHash } from "node:crypto";
import type { Clock } from "../../../core/ports/clock.ts";
import { type Random, randomHex } from "../../../core/ports/random.ts";
import type { TelemetryAttributes } from "../../../core/ports/telemetry.ts";

/** An operation that has ended. Times in milliseconds since 1970. */
export interface FinishedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  /** The side of a request that it measures: the server's, the client's, or neither. */
  readonly kind: "server" | "client" | "internal";
  readonly name: string;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly attributes: TelemetryAttributes;
}

/** An operation whose duration is sent to the operator's collector. */
export interface Span {
  /** Runs a part of the operation, with a span of its own. */
  readonly during: <A>(name: string, work: () => Promise<A>) => Promise<A>;
  readonly end: (attributes: TelemetryAttributes) => void;
}

/** The trace that a request belongs to, and the span of whoever sent it. */
export interface TraceContext {
  readonly traceId: string;
  readonly parentSpanId?: string;
}

/** Traces of requests and of mail. What they are given never names a person: routes, ids, codes and numbers. */
export interface Tracing {
  /** Begins the span of a request; null begins a trace of its own. */
  readonly request: (name: string, context: TraceContext | null) => Span;
  /** Begins the span of a mail's arrival. */
  readonly arrival: (mailId: string) => Span;
  /** Begins the span of an attempt to deliver a copy; it belongs to the trace of the arrival, in whatever process. */
  readonly attempt: (mailId: string) => Span;
}

const noSpan: Span = { during: (_name, work) => work(), end: () => {} };

/** Sends nothing. */
export const noTracing: Tracing = { request: () => noSpan, arrival: () => noSpan, attempt: () => noSpan };

export interface TracingDeps {
  /** Takes a span without waiting, and drops it when it cannot keep up. */
  readonly send: (span: FinishedSpan) => void;
  /** The percentage of traces that are sent. */
  readonly percent: number;
  readonly clock: Pick<Clock, "now">;
  readonly random: Random;
}

const traceIdLength = 32;
const spanIdLength = 16;
/** Digits of a trace id that decide whether it is sent: the same ones everywhere, so that a trace is sent as a whole. */
const sampledDigits = 8;

/** The ids of a mail's trace follow from its id, so that attempts long after the arrival find their trace. */
const traceOfMail = (mailId: string): { readonly traceId: string; readonly spanId: string } => {
  const hash = createHash("sha256").update(`trace of mail ${mailId}`).digest("hex");
  return {
    traceId: hash.slice(0, traceIdLength),
    spanId: hash.slice(traceIdLength, traceIdLength + spanIdLength),
  };
};

type SpanStart = Pick<FinishedSpan, "traceId" | "spanId" | "parentSpanId" | "kind" | "name">;

/** Creates the tracing of a process. */
export const createTracing = ({ send, percent, clock, random }: TracingDeps): Tracing => {
  const isSampled = (traceId: string): boolean =>
    Number.parseInt(traceId.slice(-sampledDigits), 16) < (percent / 100) * 16 ** sampledDigits;
  const newSpanId = (): string => randomHex(random, spanIdLength / 2);

  const begin = (start: SpanStart, known: TelemetryAttributes = {}): Span => {
    const startedAt = clock.now();
    const end = (attributes: TelemetryAttributes): void =>
      send({ ...start, startedAt, endedAt: clock.now(), attributes: { ...known, ...attributes } });
    const during = async <A>(name: string, work: () => Promise<A>): Promise<A> => {
      const { traceId, spanId: parentSpanId } = start;
      const part = begin({ traceId, parentSpanId, spanId: newSpanId(), kind: "internal", name });
      try {
        const result = await work();
        part.end({});
        return result;
      } catch (error) {
        part.end({ "error.type": error instanceof Error ? error.name : "unknown" });
        throw error;
      }
    };
    return { during, end };
  };

  return {
    request: (name, context) => {
      const { traceId, parentSpanId } = context ?? { traceId: randomHex(random, traceIdLength / 2) };
      if (!isSampled(traceId)) return noSpan;
      const parent = parentSpanId === undefined ? {} : { parentSpanId };
      return begin({ traceId, ...parent, spanId: newSpanId(), kind: "server", name });
    },
    arrival: (mailId) => {
      const trace = traceOfMail(mailId);
      if (!isSampled(trace.traceId)) return noSpan;
      return begin({ ...trace, kind: "server", name: "receive mail" }, { "bauta.mail.id": mailId });
    },
    attempt: (mailId) => {
      const { traceId, spanId: parentSpanId } = traceOfMail(mailId);
      if (!isSampled(traceId)) return noSpan;
      const start = {
        traceId,
        parentSpanId,
        spanId: newSpanId(),
        kind: "client",
        name: "deliver mail",
      } as const;
      return begin(start, { "bauta.mail.id": mailId });
    },
  };
};

const traceparent = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}/;
const nothing = /^0+$/;

/**
 * Reads the trace that a request belongs to: from `traceparent` (W3C Trace Context, level 1), else from `X-Request-ID`,
 * which is the id of the app's own trace of the request. Null without either.
 */
export const traceContextOf = (headers: Readonly<Record<string, unknown>>): TraceContext | null => {
  const [, traceId = "", parentSpanId = ""] = traceparent.exec(String(headers["traceparent"] ?? "")) ?? [];
  if (traceId !== "" && !nothing.test(traceId) && !nothing.test(parentSpanId))
    return { traceId, parentSpanId };
  const requestId = String(headers["x-request-id"] ?? "");
  return /^[0-9a-f]{32}$/.test(requestId) && !nothing.test(requestId) ? { traceId: requestId } : null;
};
