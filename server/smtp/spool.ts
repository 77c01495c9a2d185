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
   * has. What cannot be kept is still read, so that the sender gets an answer. All mails together that are arriving
   * `from` one network have a share of the room, so that nobody fills it by beginning mails; null has no such limit.
   */
  readonly receive: (stream: SMTPServerDataStream, from: string | null) => Promise<Received>;
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
    /** How many of them mails may take that are arriving from one network. */
    readonly share: number;
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

  const arriving = new Map<string, number>();
  const count = (from: string, bytes: number): void => {
    const left = (arriving.get(from) ?? 0) + bytes;
    if (left > 0) arriving.set(from, left);
    else arriving.delete(from);
  };

  /** The room as one sender finds it. */
  const roomFor = (from: string | null): typeof room =>
    from === null
      ? room
      : {
          take: (bytes) => {
            if ((arriving.get(from) ?? 0) + bytes > settings.share || !room.take(bytes)) return false;
            count(from, bytes);
            return true;
          },
          give: (bytes) => {
            room.give(bytes);
            count(from, -bytes);
          },
        };

  const receive = (stream: SMTPServerDataStream, from: string | null): Promise<Received> =>
    new Promise((resolve) => {
      const heap = makeHeap(roomFor(from));
      let finished = false;
      const finish = (trouble?: Trouble): void => {
        if (finished) return;
        finished = true;
        deadline.unsubscribe();
        if (trouble) heap.spoil(trouble);
        const received = heap.received();
        if (from !== null && received.kind === "whole") count(from, -received.content.length);
        resolve(received);
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
