import { firstValueFrom, merge, Subject, timer } from "rxjs";
import type { Clock } from "../../../core/ports/clock.ts";
import { scopeOfResource } from "../../../core/realtime/eventStream.ts";
import type { SocketFeature } from "../socket/socketFeature.ts";
import { encodeMessage, type OutgoingMessage } from "../socket/socketMessages.ts";
import type { AuthContext, TokenGrant } from "../store/authContext.ts";
import type { EventFeed } from "../store/eventFeed.ts";
import { apiTokensResource } from "../store/events.ts";
import { type ReadEvent, UserEvents, type UserEventsDeps } from "./userEvents.ts";

/** How often a comment is sent, which keeps proxies from ending a silent stream, and the token is looked up again. */
const heartbeatMs = 15_000;
/** How long a client waits before it connects again. */
const retryMs = 3_000;
/** A reader that takes nothing for so long is cut off; it resumes by its last id. */
const readsWithinMs = 60_000;
/** How long the last bytes of a stream may take. */
const endsWithinMs = 1_000;

export interface EventStreamDeps extends UserEventsDeps {
  readonly clock: Clock;
  readonly features: readonly Pick<SocketFeature, "announce">[];
  readonly feed: Pick<EventFeed, "changes$" | "follow">;
  readonly isTokenValid: (tokenId: string) => Promise<boolean>;
}

/** Who reads a stream, and what of it was read before. */
export interface StreamReader {
  readonly auth: Pick<AuthContext, "userId" | "clientId"> & { readonly token: TokenGrant };
  readonly lastEventId: string | null;
  /** Cuts the connection off. */
  readonly cutOff: () => void;
}

/** The text of a stream. */
export interface EventStream {
  readonly texts: AsyncIterable<string>;
  /** Ends the text, or cuts the connection off when its reader does not take the last of it. */
  readonly end: () => void;
  /** Frees what the stream holds; its reader is gone. */
  readonly stop: () => void;
}

const tooOld =
  "Changes from before this event are not kept any more. Read anew what you keep; what changes from now on follows.";

/** Several changes of one thing are one, because each is told with what is stored when it is sent. */
const withoutRepetitions = (events: readonly ReadEvent[]): readonly ReadEvent[] => {
  const last = new Map<string, ReadEvent>();
  for (const one of events) {
    const { resource, resourceId, action, clientId } = one.event;
    const key = JSON.stringify([resource, resourceId, action, clientId]);
    last.delete(key);
    last.set(key, one);
  }
  return [...last.values()];
};

/** Creates the stream of a user's changes to an API token. It reads from the store as fast as its reader takes the text. */
export const createEventStream = (
  deps: EventStreamDeps,
  { auth, lastEventId, cutOff }: StreamReader,
): EventStream => {
  const { clock, features, feed, isTokenValid } = deps;
  const { userId, clientId, token } = auth;
  const events = new UserEvents(deps, userId);
  const woken = new Subject<void>();
  let hasEnded = false;
  let hasChanged = false;
  /** Since when the reader has not taken a text; null while there is none for it. */
  let offeredAt: number | null = null;

  const timers = timer(heartbeatMs, heartbeatMs, clock.scheduler).subscribe(() => {
    if (offeredAt !== null && clock.now() - offeredAt > readsWithinMs) cutOff();
  });
  const end = (): void => {
    if (hasEnded) return;
    hasEnded = true;
    timers.add(timer(endsWithinMs, clock.scheduler).subscribe(cutOff));
    woken.next();
  };
  const following = feed.changes$.subscribe((change) => {
    if (change.userId !== userId) return;
    hasChanged = true;
    const { resource, resourceId, action } = change;
    if (resource === apiTokensResource && resourceId === token.id && action === "deleted") end();
    else woken.next();
  });
  following.add(feed.follow(userId));

  const stop = (): void => {
    hasEnded = true;
    woken.next();
    following.unsubscribe();
    timers.unsubscribe();
  };

  /** Waits for a change, the next heartbeat or the end of the token. */
  const untilWoken = async (): Promise<void> => {
    if (hasChanged || hasEnded) return;
    const left = token.expiresAt === null ? heartbeatMs : token.expiresAt - clock.now();
    const delay = Math.max(0, Math.min(heartbeatMs, left));
    await firstValueFrom(merge(woken, timer(delay, clock.scheduler)));
  };

  const messageText = (eventId: string, message: OutgoingMessage): string =>
    `id: ${eventId}\ndata: ${encodeMessage(message, clock.now())}\n\n`;

  async function* textsOf({ event, eventId }: ReadEvent): AsyncGenerator<string> {
    for (const { announce } of features) {
      const announcement = announce(event);
      const scope = scopeOfResource[announcement?.resources[0] ?? ""];
      if (!announcement || scope === undefined || !token.scopes.includes(scope)) continue;
      if (clientId !== null && clientId === announcement.exceptClientId) continue;
      const message = await announcement.build();
      if (message) yield messageText(eventId, message);
    }
  }

  async function* resetText(): AsyncGenerator<string> {
    await events.skipAll();
    yield messageText(events.eventId, { type: "reset", data: { message: tooOld } });
  }

  async function* textsOfAll(found: readonly ReadEvent[] | null): AsyncGenerator<string> {
    if (found === null) yield* resetText();
    else for (const one of withoutRepetitions(found)) yield* textsOf(one);
  }

  async function* content(): AsyncGenerator<string> {
    if (lastEventId === null) await events.skipAll();
    const missed = lastEventId === null ? [] : await events.resume(lastEventId);
    yield `retry: ${retryMs}\n\n`;
    yield* textsOfAll(missed);
    let said = "";
    for (;;) {
      const isNews = events.eventId !== said;
      said = events.eventId;
      yield isNews ? `:\nid: ${said}\n\n` : ":\n\n";
      await untilWoken();
      const isHeartbeat = !hasChanged;
      if (hasEnded || (isHeartbeat && !(await isTokenValid(token.id)))) return;
      hasChanged = false;
      yield* textsOfAll(await events.read());
    }
  }

  async function* texts(): AsyncGenerator<string> {
    try {
      // The token may have ended while the stream was opening.
      if (!(await isTokenValid(token.id))) return;
      for await (const text of content()) {
        if (hasEnded) return;
        offeredAt = clock.now();
        yield text;
        offeredAt = null;
      }
    } finally {
      stop();
    }
  }
  return { texts: texts(), end, stop };
};
