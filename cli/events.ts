import { setTimeout as wait } from "node:timers/promises";
import * as E from "fp-ts/lib/Either.js";
import { Observable } from "rxjs";
import type { Clock } from "../core/ports/clock.ts";
import { StreamedMessage } from "../core/realtime/eventStream.ts";

/** The message of a stream of changes: masks may have changed, the connection is lost, or the server has no such stream. */
export type ChangeMessage = "changed" | "lost" | "unavailable";

interface EventsAt {
  readonly server: string;
  readonly token: string;
  readonly clock: Clock;
}

/** The server sends a comment every 15 s. */
const silentAfterMs = 45_000;
const retryMs = 3_000;

const concernsMasks = (data: string): boolean => {
  const decoded = StreamedMessage.decode(JSON.parse(data));
  if (E.isLeft(decoded)) return false;
  const message = decoded.right;
  if (message.type === "reset") return true;
  return message.type === "data_update" && ["masks", "rules"].includes(message.data.resource);
};

/** Reads the blocks of a stream of events (WHATWG HTML, 9.2.6). */
async function* blocksOf(body: ReadableStream<Uint8Array>, onChunk: () => void): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let unread = "";
  for await (const chunk of body) {
    onChunk();
    unread += decoder.decode(chunk, { stream: true });
    const blocks = unread.split("\n\n");
    unread = blocks.pop() ?? "";
    yield* blocks;
  }
}

const fieldOf = (block: string, name: string): string | undefined =>
  block
    .split("\n")
    .find((line) => line.startsWith(`${name}: `))
    ?.slice(name.length + 2);

/** Calls `onSilent` when it was not called for a while. */
const createSilence = (clock: Clock, onSilent: () => void) => {
  const begin = () => clock.scheduler.schedule(onSilent, silentAfterMs);
  let waiting = begin();
  return {
    stop: (): void => waiting.unsubscribe(),
    restart: (): void => {
      waiting.unsubscribe();
      waiting = begin();
    },
  };
};

/** Returns the message that the status of an answer without a stream stands for; null for none. */
const messageOfStatus = (status: number): ChangeMessage | null => {
  if (status === 403 || status === 404) return "unavailable";
  // A refused token is noticed by the reading of the list.
  return status === 401 ? "changed" : null;
};

const mayWorkLater = (status: number): boolean => status >= 500 || status === 429;

/** Follows `GET /events` with a token, and connects again by the last id, until unsubscribed. */
export const followEvents = ({ server, token, clock }: EventsAt): Observable<ChangeMessage> =>
  new Observable((subscriber) => {
    let lastId: string | undefined;
    const ended = new AbortController();

    const open = (signal: AbortSignal): Promise<Response> =>
      fetch(`${server}/events`, {
        headers: {
          authorization: `Bearer ${token}`,
          ...(lastId === undefined ? {} : { "last-event-id": lastId }),
        },
        signal: AbortSignal.any([signal, ended.signal]),
      });
    const read = async (body: ReadableStream<Uint8Array>, onChunk: () => void): Promise<void> => {
      // Changes may have been made between the reading of the list and the first id.
      if (lastId === undefined) subscriber.next("changed");
      for await (const block of blocksOf(body, onChunk)) {
        lastId = fieldOf(block, "id") ?? lastId;
        const data = fieldOf(block, "data");
        if (data !== undefined && concernsMasks(data)) subscriber.next("changed");
      }
    };
    /** Reads one answer; false when there is no use in asking again. */
    const connect = async (): Promise<boolean> => {
      const connection = new AbortController();
      const silence = createSilence(clock, () => connection.abort());
      try {
        const { ok, status, body } = await open(connection.signal);
        if (ok && body !== null) await read(body, silence.restart);
        const message = messageOfStatus(status);
        if (message !== null) subscriber.next(message);
        return ok || mayWorkLater(status);
      } catch {
        return true;
      } finally {
        silence.stop();
      }
    };
    const follow = async (): Promise<void> => {
      while (!ended.signal.aborted && (await connect())) {
        if (!ended.signal.aborted) subscriber.next("lost");
        await wait(retryMs, undefined, { signal: ended.signal });
      }
    };
    follow().catch(() => {});
    return () => ended.abort();
  });
