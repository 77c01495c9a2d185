import { batchSize, messageBytes } from "./limits.ts";

/** What is sent first when several messages wait (RT8). */
export type Priority = "high" | "normal" | "low";

/** A message that waits to be sent. */
export interface Waiting {
  readonly id: string;
  readonly text: string;
  readonly priority: Priority;
  /** How often sending it may still fail before it is given up. */
  readonly retries: number;
}

/** What waits, in the order in which it will be sent. */
export type SendQueue = readonly Waiting[];

const rank: Readonly<Record<Priority, number>> = { high: 0, normal: 1, low: 2 };

/** Behind everything that is at least as urgent. */
export const enqueued = (queue: SendQueue, message: Waiting): SendQueue => {
  const at = queue.findLastIndex(({ priority }) => rank[priority] <= rank[message.priority]) + 1;
  return queue.toSpliced(at, 0, message);
};

/** Messages that could not be sent go back as low, as far as they may still fail (RT8). */
export const requeued = (queue: SendQueue, failed: readonly Waiting[]): SendQueue =>
  failed
    .filter(({ retries }) => retries > 0)
    .reduce(
      (all, message) => enqueued(all, { ...message, priority: "low", retries: message.retries - 1 }),
      queue,
    );

/** How long text is in UTF-8; text that JSON.stringify has made holds no lone surrogates. */
export const bytesOf = (text: string): number => {
  let bytes = 0;
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0;
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x1_0000 ? 3 : 4;
  }
  return bytes;
};

/** What the envelope of a batch takes, generously. */
const batchEnvelopeBytes = 256;

/** The first messages, as many as fit into one batch and at most `room`; and those that stay (RT9). */
export const taken = (
  queue: SendQueue,
  room: number,
): { readonly batch: readonly Waiting[]; readonly rest: SendQueue } => {
  const most = Math.min(room, batchSize, queue.length);
  let count = Math.min(most, 1);
  let bytes = batchEnvelopeBytes + bytesOf(queue[0]?.text ?? "");
  while (count < most) {
    bytes += 1 + bytesOf(queue[count]?.text ?? "");
    if (bytes > messageBytes) break;
    count += 1;
  }
  return { batch: queue.slice(0, count), rest: queue.slice(count) };
};
