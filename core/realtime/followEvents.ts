import * as E from "fp-ts/lib/Either.js";
import {
  catchError,
  concatMap,
  concatWith,
  defer,
  EMPTY,
  from,
  map,
  type Observable,
  of,
  repeat,
  takeWhile,
  timeout,
  timer,
} from "rxjs";
import type { Clock } from "../ports/clock.ts";
import type { Random } from "../ports/random.ts";
import type { OpenTextStream, TextStreamEvent } from "../ports/textStream.ts";
import { reconnectDelay } from "./connectionTiming.ts";
import { getEvents, StreamedMessage } from "./eventStream.ts";

/** What a follower of the server's events hears. */
export type FollowedEvent =
  /** A stream has begun that tells nothing of what was before it: read what you keep. */
  | { readonly kind: "began" }
  | { readonly kind: "message"; readonly message: StreamedMessage }
  /** The connection is lost, and tried again. */
  | { readonly kind: "lost" }
  /** The server gives this token no stream, with this status; always the last event. */
  | { readonly kind: "refused"; readonly status: number };

export interface FollowEventsDeps {
  readonly openTextStream: OpenTextStream;
  readonly clock: Clock;
  readonly random: Random;
}

/** The server that is followed, without a slash at its end, and the API token. */
export interface FollowedServer {
  readonly server: string;
  readonly token: string;
}

/** The server sends a comment every 15 s. */
const silentAfterMs = 45_000;
/** The most characters of one event; a server that sends more is not understood. */
const maxBlock = 1_000_000;

/** Splits a stream of events into its blocks (WHATWG HTML, 9.2.6); null once one is too long. */
const createBlocks = (): ((text: string) => readonly string[] | null) => {
  let unread = "";
  return (text) => {
    const blocks = (unread + text).split("\n\n");
    unread = blocks.pop() ?? "";
    return unread.length > maxBlock ? null : blocks;
  };
};

const fieldOf = (block: string, name: string): string | undefined =>
  block
    .split("\n")
    .find((line) => line.startsWith(`${name}: `))
    ?.slice(name.length + 2);

/** Returns the message of an event; undefined for a type that is not known here. */
const messageOf = (data: string): StreamedMessage | undefined => {
  const parsed = E.tryCatch(
    () => JSON.parse(data) as unknown,
    () => null,
  );
  const message = E.isRight(parsed) ? StreamedMessage.decode(parsed.right) : parsed;
  return E.isRight(message) ? message.right : undefined;
};

const mayWorkLater = (status: number): boolean => status >= 500 || status === 429;

/** Follows `GET /events` with an API token, and connects again by the last id, until it is refused or unsubscribed. */
export const followEvents = (
  { openTextStream, clock, random }: FollowEventsDeps,
  { server, token }: FollowedServer,
): Observable<FollowedEvent> =>
  defer(() => {
    let lastId: string | undefined;
    let attempts = 0;

    const readBlock = (block: string): readonly FollowedEvent[] => {
      lastId = fieldOf(block, "id") ?? lastId;
      const message = messageOf(fieldOf(block, "data") ?? "");
      return message === undefined ? [] : [{ kind: "message", message }];
    };
    const readAnswer = (status: number): readonly FollowedEvent[] => {
      if (status !== 200) return mayWorkLater(status) ? [] : [{ kind: "refused", status }];
      attempts = 0;
      return lastId === undefined ? [{ kind: "began" }] : [];
    };
    const connect = (): Observable<FollowedEvent> => {
      const blocksOf = createBlocks();
      const read = (event: TextStreamEvent): readonly FollowedEvent[] | null =>
        event.kind === "answered"
          ? readAnswer(event.status)
          : (blocksOf(event.text)?.flatMap(readBlock) ?? null);
      const headers = {
        authorization: `Bearer ${token}`,
        ...(lastId !== undefined && { "last-event-id": lastId }),
      };
      return openTextStream(`${server}${getEvents.path}`, headers).pipe(
        timeout({ each: silentAfterMs, scheduler: clock.scheduler }),
        map(read),
        takeWhile((events) => events !== null),
        concatMap((events) => from(events)),
        catchError(() => EMPTY),
      );
    };
    return defer(connect).pipe(
      concatWith(of<FollowedEvent>({ kind: "lost" })),
      repeat({
        delay: () => {
          attempts += 1;
          return timer(reconnectDelay(attempts, random.fraction()), clock.scheduler);
        },
      }),
      takeWhile(({ kind }) => kind !== "refused", true),
    );
  });
