import { minuteMs } from "../kernel/durations.ts";
import { batchSize, messageBytes, messagesPerMinute } from "./messages.ts";

/** The order in which queued messages are sent (RT8). */
export type Priority = "high" | "normal" | "low";

/** A message in the send queue. */
export interface QueuedMessage {
  readonly id: string;
  readonly text: string;
  readonly priority: Priority;
  /** The number of times that sending may still fail before the message is dropped. */
  readonly retries: number;
}

/** The queued messages in the order of sending. */
export type SendQueue = readonly QueuedMessage[];

const rank: Readonly<Record<Priority, number>> = { high: 0, normal: 1, low: 2 };

/** Inserts a message behind all messages of the same or a higher priority. */
export const enqueue = (queue: SendQueue, message: QueuedMessage): SendQueue => {
  const at = queue.findLastIndex(({ priority }) => rank[priority] <= rank[message.priority]) + 1;
  return queue.toSpliced(at, 0, message);
};

/** Puts failed messages back with low priority and drops those without retries left (RT8). */
export const requeue = (queue: SendQueue, failed: readonly QueuedMessage[]): SendQueue =>
  failed
    .filter(({ retries }) => retries > 0)
    .reduce(
      (result, message) => enqueue(result, { ...message, priority: "low", retries: message.retries - 1 }),
      queue,
    );

/** Counts the bytes of a text in UTF-8; the text must not contain lone surrogates. */
export const utf8Length = (text: string): number => {
  let bytes = 0;
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0;
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x1_0000 ? 3 : 4;
  }
  return bytes;
};

const batchEnvelopeBytes = 256;

/** Takes as many messages from the front as fit into one batch and at most `room` (RT9); `rest` are the others. */
export const takeBatch = (
  queue: SendQueue,
  room: number,
): { readonly batch: readonly QueuedMessage[]; readonly rest: SendQueue } => {
  const most = Math.min(room, batchSize, queue.length);
  let count = Math.min(most, 1);
  let bytes = batchEnvelopeBytes + utf8Length(queue[0]?.text ?? "");
  while (count < most) {
    bytes += 1 + utf8Length(queue[count]?.text ?? "");
    if (bytes > messageBytes) break;
    count += 1;
  }
  return { batch: queue.slice(0, count), rest: queue.slice(count) };
};

/** The number of messages per minute that are reserved for authentication and heartbeats. */
const reservedForControl = 10;

/** The times, in milliseconds, of the messages sent within the last minute; the oldest first. */
export type SendTimes = readonly number[];

const recent = (sendTimes: SendTimes, now: number): SendTimes =>
  sendTimes.filter((at) => at > now - minuteMs && at <= now);

/** Counts the messages that may be sent now (RT9, D19). */
export const availableSlots = (sendTimes: SendTimes, now: number, isControl = false): number =>
  Math.max(0, messagesPerMinute - (isControl ? 0 : reservedForControl) - recent(sendTimes, now).length);

export const recordSent = (sendTimes: SendTimes, now: number, count: number): SendTimes => [
  ...recent(sendTimes, now),
  ...Array.from({ length: count }, () => now),
];

/** Calculates the milliseconds until another message may be sent; 0 when that is now. */
export const nextSlotAfterMs = (sendTimes: SendTimes, now: number): number => {
  const current = recent(sendTimes, now);
  const oldest = current[current.length - (messagesPerMinute - reservedForControl)];
  return oldest === undefined ? 0 : oldest + minuteMs - now;
};
