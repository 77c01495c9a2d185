import { Subscription } from "rxjs";
import type { Clock } from "../ports/clock.ts";
import type { Envelopes, Said } from "./envelope.ts";
import { messageBytes } from "./limits.ts";
import { type Pace, roomAfterMs, roomIn, spent } from "./pace.ts";
import { bytesOf, enqueued, type Priority, requeued, type SendQueue, taken } from "./sendQueue.ts";

export interface SendOptions {
  /** "normal" unless told. */
  readonly priority?: Priority;
  /** How often sending may fail before the message is given up; 3 unless told. */
  readonly retries?: number;
}

/** Everything that is sent, in its order and at its pace (RT8, RT9). */
export interface Outbox {
  /**
   * Sends as soon as may be. Answers the name under which it waits; null, and nothing is kept, when the message is
   * longer than any may be or too much waits already.
   */
  readonly send: (said: Said, options?: SendOptions) => string | null;
  /** Sends now or never; whether it was sent. What the connection says of itself has room of its own. */
  readonly post: (said: Said, ofItself?: boolean) => boolean;
  readonly withdraw: (id: string) => void;
  /** What waits may go. */
  readonly open: () => void;
  /** What waits stays. */
  readonly shut: () => void;
  readonly clear: () => void;
}

interface Needs {
  readonly clock: Clock;
  readonly envelopes: Envelopes;
  /** Hands a text to the connection; false when there is none that is open. */
  readonly transmit: (text: string) => boolean;
}

const usualRetries = 3;
/** How many messages may wait at once. */
const longestQueue = 1_000;

export const makeOutbox = ({ clock, envelopes, transmit }: Needs): Outbox => {
  let queue: SendQueue = [];
  let pace: Pace = [];
  let isOpen = false;
  let nextDrain = Subscription.EMPTY;

  const drain = (): void => {
    nextDrain.unsubscribe();
    while (isOpen && queue.length > 0) {
      const now = clock.now();
      const { batch, rest } = taken(queue, roomIn(pace, now));
      if (batch.length === 0) {
        nextDrain = clock.scheduler.schedule(drain, roomAfterMs(pace, now));
        return;
      }
      queue = rest;
      if (transmit(envelopes.wrapAll(batch))) pace = spent(pace, now, batch.length);
      else {
        isOpen = false;
        queue = requeued(queue, batch);
      }
    }
  };
  return {
    send: (said, { priority = "normal", retries = usualRetries } = {}) => {
      const { id, text } = envelopes.wrap(said);
      if (bytesOf(text) > messageBytes || queue.length >= longestQueue) return null;
      queue = enqueued(queue, { id, text, priority, retries });
      drain();
      return id;
    },
    post: (said, ofItself = false) => {
      const now = clock.now();
      const { text } = envelopes.wrap(said);
      const isSent = roomIn(pace, now, ofItself) > 0 && bytesOf(text) <= messageBytes && transmit(text);
      if (isSent) pace = spent(pace, now, 1);
      return isSent;
    },
    withdraw: (id) => {
      queue = queue.filter((waiting) => waiting.id !== id);
    },
    open: () => {
      isOpen = true;
      drain();
    },
    shut: () => {
      isOpen = false;
      nextDrain.unsubscribe();
    },
    clear: () => {
      queue = [];
    },
  };
};
