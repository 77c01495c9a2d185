import { timer } from "rxjs";
import type { SMTPServerDataStream } from "smtp-server";
import type { Clock } from "../../core/ports/clock.ts";

type Trouble = "too-large" | "no-room" | "too-slow" | "gone";

/** What came of waiting for a mail. */
export type Received = { readonly kind: "whole"; readonly content: Buffer } | { readonly kind: Trouble };

/** Room in memory for mails that are on their way into the queue, shared by all connections. */
export interface Spool {
  /** Takes room for so many bytes; false when there is none. */
  readonly take: (bytes: number) => boolean;
  readonly give: (bytes: number) => void;
  /**
   * Reads a mail to its end. A whole one has taken room for its length, which the caller gives back; nothing else
   * has. What cannot be kept is still read, so that the sender gets an answer.
   */
  readonly receive: (stream: SMTPServerDataStream) => Promise<Received>;
}

/** The chunks of one mail, until there is trouble: then none. */
const makeHeap = (room: Pick<Spool, "take" | "give">) => {
  let chunks: Buffer[] = [];
  let length = 0;
  let trouble: Trouble | null = null;

  const spoil = (why: Trouble): void => {
    trouble ??= why;
    room.give(length);
    chunks = [];
    length = 0;
  };

  return {
    add: (chunk: Buffer): void => {
      if (trouble) return;
      if (!room.take(chunk.length)) {
        spoil("no-room");
        return;
      }
      length += chunk.length;
      chunks.push(chunk);
    },
    spoil,
    received: (): Received =>
      trouble ? { kind: trouble } : { kind: "whole", content: Buffer.concat(chunks, length) },
  };
};

export const makeSpool = (
  settings: {
    /** Bytes. */
    readonly capacity: number;
    readonly timeoutMs: number;
  },
  clock: Clock,
): Spool => {
  let taken = 0;
  const room: Pick<Spool, "take" | "give"> = {
    take: (bytes) => {
      if (taken + bytes > settings.capacity) return false;
      taken += bytes;
      return true;
    },
    give: (bytes) => {
      taken -= bytes;
    },
  };

  const receive = (stream: SMTPServerDataStream): Promise<Received> =>
    new Promise((resolve) => {
      const heap = makeHeap(room);
      let finished = false;
      const finish = (trouble?: Trouble): void => {
        if (finished) return;
        finished = true;
        deadline.unsubscribe();
        if (trouble) heap.spoil(trouble);
        resolve(heap.received());
      };
      const deadline = timer(settings.timeoutMs, clock.scheduler).subscribe(() => {
        finish("too-slow");
        stream.destroy();
      });
      stream.on("data", (chunk: Buffer) => {
        if (stream.sizeExceeded) heap.spoil("too-large");
        heap.add(chunk);
      });
      stream.once("end", () => finish(stream.sizeExceeded ? "too-large" : undefined));
      stream.once("error", () => finish("gone"));
      stream.once("close", () => finish("gone"));
    });

  return { ...room, receive };
};
