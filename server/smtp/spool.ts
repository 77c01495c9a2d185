import { timer } from "rxjs";
import type { SMTPServerDataStream } from "smtp-server";
import type { Clock } from "../../core/ports/clock.ts";

type SpoolFailure = "too-large" | "no-room" | "too-slow" | "gone";

/** Result of receiving the content of a mail. */
export type SpoolResult =
  | { readonly kind: "whole"; readonly content: Buffer }
  | { readonly kind: SpoolFailure };

/** Limit of memory for mails being received, shared by all connections. */
export interface Spool {
  /** Reserves memory for these bytes; returns false when the limit is reached. */
  readonly reserve: (bytes: number) => boolean;
  readonly release: (bytes: number) => void;
  /**
   * Receives a mail to its end. A complete mail has reserved memory for its length, which the caller releases; other
   * results hold none. A mail that cannot be stored is still read, so that the sender gets a reply. All mails that
   * arrive from one network share a limit, so that one sender cannot fill the memory with incomplete mails; null has
   * no such limit.
   */
  readonly receive: (stream: SMTPServerDataStream, from: string | null) => Promise<SpoolResult>;
}

/** Collects the chunks of one mail and discards them on failure. */
const createChunkBuffer = (room: Pick<Spool, "reserve" | "release">) => {
  let chunks: Buffer[] = [];
  let length = 0;
  let failure: SpoolFailure | null = null;

  const discard = (why: SpoolFailure): void => {
    failure ??= why;
    room.release(length);
    chunks = [];
    length = 0;
  };

  return {
    add: (chunk: Buffer): void => {
      if (failure) return;
      if (!room.reserve(chunk.length)) {
        discard("no-room");
        return;
      }
      length += chunk.length;
      chunks.push(chunk);
    },
    discard,
    result: (): SpoolResult =>
      failure ? { kind: failure } : { kind: "whole", content: Buffer.concat(chunks, length) },
  };
};

export const createSpool = (
  settings: {
    /** Bytes of all mails together. */
    readonly capacity: number;
    /** Bytes of the mails that arrive from one network. */
    readonly bytesPerNetwork: number;
    readonly timeoutMs: number;
  },
  clock: Clock,
): Spool => {
  let reserved = 0;
  const room: Pick<Spool, "reserve" | "release"> = {
    reserve: (bytes) => {
      if (reserved + bytes > settings.capacity) return false;
      reserved += bytes;
      return true;
    },
    release: (bytes) => {
      reserved -= bytes;
    },
  };

  const arriving = new Map<string, number>();
  const count = (from: string, bytes: number): void => {
    const left = (arriving.get(from) ?? 0) + bytes;
    if (left > 0) arriving.set(from, left);
    else arriving.delete(from);
  };

  /** Returns the memory limit as it applies to one network. */
  const roomFor = (from: string | null): typeof room =>
    from === null
      ? room
      : {
          reserve: (bytes) => {
            if ((arriving.get(from) ?? 0) + bytes > settings.bytesPerNetwork || !room.reserve(bytes))
              return false;
            count(from, bytes);
            return true;
          },
          release: (bytes) => {
            room.release(bytes);
            count(from, -bytes);
          },
        };

  const receive = (stream: SMTPServerDataStream, from: string | null): Promise<SpoolResult> =>
    new Promise((resolve) => {
      const buffer = createChunkBuffer(roomFor(from));
      let finished = false;
      const finish = (failure?: SpoolFailure): void => {
        if (finished) return;
        finished = true;
        deadline.unsubscribe();
        if (failure) buffer.discard(failure);
        const received = buffer.result();
        if (from !== null && received.kind === "whole") count(from, -received.content.length);
        resolve(received);
      };
      const deadline = timer(settings.timeoutMs, clock.scheduler).subscribe(() => {
        finish("too-slow");
        stream.destroy();
      });
      stream.on("data", (chunk: Buffer) => {
        if (stream.sizeExceeded) buffer.discard("too-large");
        buffer.add(chunk);
      });
      stream.once("end", () => finish(stream.sizeExceeded ? "too-large" : undefined));
      stream.once("error", () => finish("gone"));
      stream.once("close", () => finish("gone"));
    });

  return { ...room, receive };
};
