import { Subscription } from "rxjs";
import type { Clock } from "../ports/clock.ts";
import { type Random, randomHex } from "../ports/random.ts";
import type { ClientMessage } from "./clientMessages.ts";
import { messageBytes } from "./messages.ts";
import {
  availableSlots,
  enqueue,
  nextSlotAfterMs,
  type Priority,
  recordSent,
  requeue,
  type SendQueue,
  type SendTimes,
  takeBatch,
  utf8Length,
} from "./sendQueue.ts";

type WithoutEnvelope<Message> = Message extends { readonly type: string }
  ? Pick<Message, keyof Message & ("type" | "data")>
  : never;

/** A message of the client, without the envelope. */
export type OutgoingMessage = WithoutEnvelope<ClientMessage>;

/** A serialized message and its id; heartbeats have an empty id. */
export interface WireMessage {
  readonly id: string;
  readonly text: string;
}

interface Envelopes {
  readonly wrap: (message: OutgoingMessage) => WireMessage;
  /** Joins several messages into one batch, in their order. */
  readonly wrapAll: (messages: readonly WireMessage[]) => string;
}

/** Creates the functions that wrap messages in the envelope of one socket session (RT2). */
export const createEnvelopes = (clock: Clock, random: Random, sessionId: string): Envelopes => {
  const emptyEnvelope = (type: string, id: string): string =>
    JSON.stringify({ type, id, timestamp: clock.now(), sessionId });
  const newId = (): string => randomHex(random, 8);
  return {
    wrap: (message) => {
      if (message.type === "heartbeat" || message.type === "heartbeat_ack")
        return { id: "", text: JSON.stringify({ ...message, timestamp: clock.now(), sessionId }) };
      const id = newId();
      return { id, text: JSON.stringify({ ...message, id, timestamp: clock.now(), sessionId }) };
    },
    wrapAll: (messages) => {
      const [only] = messages;
      if (only !== undefined && messages.length === 1) return only.text;
      const texts = messages.map(({ text }) => text).join(",");
      return `${emptyEnvelope("batch", newId()).slice(0, -1)},"data":{"messages":[${texts}]}}`;
    },
  };
};

export interface SendOptions {
  /** Defaults to "normal". */
  readonly priority?: Priority;
  /** The number of times that sending may fail before the message is dropped; defaults to 3. */
  readonly retries?: number;
}

interface Deps {
  readonly clock: Clock;
  readonly envelopes: Envelopes;
  /** Sends a text over the connection; false when no socket is open. */
  readonly transmit: (text: string) => boolean;
}

const defaultRetries = 3;
const maxQueued = 1_000;

/** Sends messages in order of priority and within the rate limit (RT8, RT9). */
export class MessageQueue {
  readonly #deps: Deps;
  #queue: SendQueue = [];
  #sendTimes: SendTimes = [];
  #isOpen = false;
  #nextDrain = Subscription.EMPTY;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Queues a message to be sent as soon as possible. Returns its id; null when it is too long or the queue is full. */
  send(
    message: OutgoingMessage,
    { priority = "normal", retries = defaultRetries }: SendOptions = {},
  ): string | null {
    const { id, text } = this.#deps.envelopes.wrap(message);
    if (utf8Length(text) > messageBytes || this.#queue.length >= maxQueued) return null;
    this.#queue = enqueue(this.#queue, { id, text, priority, retries });
    this.#drain();
    return id;
  }

  /** Sends immediately or drops the message; returns whether it was sent. Control messages have reserved slots. */
  sendNow(message: OutgoingMessage, isControl = false): boolean {
    const { clock, envelopes, transmit } = this.#deps;
    const now = clock.now();
    const { text } = envelopes.wrap(message);
    const isSent =
      availableSlots(this.#sendTimes, now, isControl) > 0 &&
      utf8Length(text) <= messageBytes &&
      transmit(text);
    if (isSent) this.#sendTimes = recordSent(this.#sendTimes, now, 1);
    return isSent;
  }

  remove(id: string): void {
    this.#queue = this.#queue.filter((queued) => queued.id !== id);
  }

  open(): void {
    this.#isOpen = true;
    this.#drain();
  }

  /** Stops sending; the queue stays, and the rate limit starts anew with the next socket. */
  close(): void {
    this.#isOpen = false;
    this.#nextDrain.unsubscribe();
    // As on the server, the limit counts the messages of one socket: the next one must authenticate and subscribe.
    this.#sendTimes = [];
  }

  clear(): void {
    this.#queue = [];
  }

  #drain(): void {
    const { clock, envelopes, transmit } = this.#deps;
    this.#nextDrain.unsubscribe();
    while (this.#isOpen && this.#queue.length > 0) {
      const now = clock.now();
      const { batch, rest } = takeBatch(this.#queue, availableSlots(this.#sendTimes, now));
      if (batch.length === 0) {
        const afterMs = nextSlotAfterMs(this.#sendTimes, now);
        this.#nextDrain = clock.scheduler.schedule(() => this.#drain(), afterMs);
        return;
      }
      this.#queue = rest;
      if (transmit(envelopes.wrapAll(batch)))
        this.#sendTimes = recordSent(this.#sendTimes, now, batch.length);
      else {
        this.#isOpen = false;
        this.#queue = requeue(this.#queue, batch);
      }
    }
  }
}
