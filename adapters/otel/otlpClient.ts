import { firstValueFrom, Subscription, timer } from "rxjs";
import type { Clock } from "../../core/ports/clock.ts";
import type { Random } from "../../core/ports/random.ts";
import { type Collector, type EventRecord, logsBody, type SpanRecord, tracesBody } from "./otlpRecords.ts";

/** The time for which the first record of a batch waits for others (OB1). */
const batchDelayMs = 1_000;
/** The maximum number of records in a batch; a full batch is sent immediately (OB1). */
const batchSize = 30;
/** The number of times that a failed batch is sent again (OB1). */
const maximumRetries = 3;
/** The time that the collector may take to answer (OB1). */
const answerTimeoutMs = 10_000;
const retryAfterMs = 1_000;
/** The maximum number of queued records; further ones are dropped. */
const maxQueued = 300;

/** The statuses after which OTLP requires a retry; all others are final. */
const retryableStatuses = [429, 502, 503, 504];

export interface SenderDeps<A> {
  readonly url: string;
  readonly bodyOf: (batch: readonly A[]) => string;
  readonly clock: Clock;
  readonly random: Random;
}

/** Creates a function that sends records in batches, one batch at a time; undeliverable batches are dropped. */
const createOtlpSender = <A>({ url, bodyOf, clock, random }: SenderDeps<A>): ((record: A) => void) => {
  const queue: A[] = [];
  let isSending = false;
  let batchTimer = Subscription.EMPTY;

  /** Sends a batch and returns whether to retry. Cookies are omitted because the collector is a third party. */
  const post = async (body: string): Promise<boolean> => {
    const controller = new AbortController();
    const timeout = clock.scheduler.schedule(() => controller.abort(), answerTimeoutMs);
    try {
      const { status } = await fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body,
        credentials: "omit",
        referrerPolicy: "no-referrer",
        signal: controller.signal,
      });
      return retryableStatuses.includes(status);
    } catch {
      return true;
    } finally {
      timeout.unsubscribe();
    }
  };
  const deliver = async (body: string): Promise<void> => {
    for (let n = 0; (await post(body)) && n < maximumRetries; n += 1)
      await firstValueFrom(timer(retryAfterMs * 2 ** n + random.fraction() * retryAfterMs, clock.scheduler));
  };
  const send = async (): Promise<void> => {
    batchTimer.unsubscribe();
    isSending = true;
    await deliver(bodyOf(queue.splice(0, batchSize)));
    isSending = false;
    scheduleNext();
  };
  const scheduleNext = (): void => {
    if (isSending || queue.length === 0) return;
    if (queue.length >= batchSize) void send();
    else if (batchTimer.closed) batchTimer = clock.scheduler.schedule(() => void send(), batchDelayMs);
  };
  return (record) => {
    if (queue.length >= maxQueued) return;
    queue.push(record);
    scheduleNext();
  };
};

/** Sends spans as traces and events as named log records to a collector. */
export interface OtlpClient {
  readonly span: (record: SpanRecord) => void;
  readonly event: (record: EventRecord) => void;
}

export const createOtlpClient = ({ endpoint, ...deps }: Collector): OtlpClient => {
  const root = endpoint.replace(/\/+$/, "");
  return {
    span: createOtlpSender({ ...deps, url: `${root}/v1/traces`, bodyOf: tracesBody(deps) }),
    event: createOtlpSender({ ...deps, url: `${root}/v1/logs`, bodyOf: logsBody(deps) }),
  };
};
