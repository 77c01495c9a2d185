import type { Collector } from "./collector.ts";
import { type EventRecord, logsBody, type SpanRecord, tracesBody } from "./otlpRecords.ts";
import { makeOtlpSender } from "./otlpSender.ts";

/** The way to a collector: spans go as traces, events as log records with a name. */
export interface OtlpClient {
  readonly span: (record: SpanRecord) => void;
  readonly event: (record: EventRecord) => void;
}

export const makeOtlpClient = ({ endpoint, ...needs }: Collector): OtlpClient => {
  const root = endpoint.replace(/\/+$/, "");
  return {
    span: makeOtlpSender({ ...needs, url: `${root}/v1/traces`, bodyOf: tracesBody(needs) }),
    event: makeOtlpSender({ ...needs, url: `${root}/v1/logs`, bodyOf: logsBody(needs) }),
  };
};
