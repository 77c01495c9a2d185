import { firstValueFrom, Subscription, timer } from "rxjs";
import type { Clock } from "../../core/ports/clock.ts";
import type { Random } from "../../core/ports/random.ts";

/** The first record of a batch waits this long for others (OB1). */
const gatherForMs = 1_000;
/** A batch holds at most this many records, and goes out at once when it does (OB1). */
const batchSize = 30;
/** How often a batch is sent again (OB1). */
const maximumRetries = 3;
/** How long the collector may take for its answer (OB1). */
const answerWithinMs = 10_000;
const retryAfterMs = 1_000;
/** More than this is not kept for a collector that does not answer; the newest are dropped. */
const mostWaiting = 300;

/** What OTLP has sent again; whatever else is refused is refused for good. */
const worthRetrying = [429, 502, 503, 504];

export interface SenderNeeds<A> {
  readonly url: string;
  readonly bodyOf: (batch: readonly A[]) => string;
  readonly clock: Clock;
  readonly random: Random;
}

/** Sends records to a collector, one batch after the other. What cannot be delivered is dropped: nothing waits for it. */
export const makeOtlpSender = <A>({ url, bodyOf, clock, random }: SenderNeeds<A>): ((record: A) => void) => {
  const waiting: A[] = [];
  let isSending = false;
  let gathering = Subscription.EMPTY;

  /** Whether it is worth another try. No cookie goes along: the collector is none of the session's business. */
  const post = async (body: string): Promise<boolean> => {
    const abortion = new AbortController();
    const late = clock.scheduler.schedule(() => abortion.abort(), answerWithinMs);
    try {
      const { status } = await fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body,
        credentials: "omit",
        referrerPolicy: "no-referrer",
        signal: abortion.signal,
      });
      return worthRetrying.includes(status);
    } catch {
      return true;
    } finally {
      late.unsubscribe();
    }
  };
  const deliver = async (body: string): Promise<void> => {
    for (let n = 0; (await post(body)) && n < maximumRetries; n += 1)
      await firstValueFrom(timer(retryAfterMs * 2 ** n + random.fraction() * retryAfterMs, clock.scheduler));
  };
  const send = async (): Promise<void> => {
    gathering.unsubscribe();
    isSending = true;
    await deliver(bodyOf(waiting.splice(0, batchSize)));
    isSending = false;
    next();
  };
  const next = (): void => {
    if (isSending || waiting.length === 0) return;
    if (waiting.length >= batchSize) void send();
    else if (gathering.closed) gathering = clock.scheduler.schedule(() => void send(), gatherForMs);
  };
  return (record) => {
    if (waiting.length >= mostWaiting) return;
    waiting.push(record);
    next();
  };
};
