import { firstValueFrom, merge, Subject, type Subscription, timer } from "rxjs";
import { hasScope } from "../../../core/api/apiScope.ts";
import type { Clock } from "../../../core/ports/clock.ts";
import { scopeOfResource } from "../../../core/realtime/eventStream.ts";
import type { SocketFeature } from "../socket/socketFeature.ts";
import { encodeMessage, type OutgoingMessage } from "../socket/socketMessages.ts";
import type { AuthContext, TokenGrant } from "../store/authContext.ts";
import type { EventFeed } from "../store/eventFeed.ts";
import { apiTokensResource } from "../store/events.ts";
import { type ReadEvent, UserEvents, type UserEventsDeps } from "./userEvents.ts";

/**
 * The interval at which a comment is sent, which keeps proxies from ending a silent stream, and the token is looked up again.
 */
const heartbeatMs = 15_000;
/** The time that a client waits before it connects again. */
const retryMs = 3_000;
/** A reader that takes nothing for so long is cut off; it resumes by its last id. */
const readsWithinMs = 60_000;
/** The time that the last bytes of a stream may take. */
const endsWithinMs = 1_000;

export interface EventStreamDeps extends UserEventsDeps {
  readonly clock: Clock;
  readonly features: readonly Pick<SocketFeature, "announce">[];
  readonly feed: Pick<EventFeed, "changes$" | "follow">;
  readonly isTokenValid: (tokenId: string) => Promise<boolean>;
}

/** The reader of a stream, and the position up to which it was read before. */
export interface StreamReader {
  readonly auth: Pick<AuthContext, "userId" | "clientId"> & { readonly token: TokenGrant };
  readonly lastEventId: string | null;
  /** Cuts the connection off. */
  readonly cutOff: () => void;
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

/**
 * Streams a user's changes to an API token. Reads from the store as fast as the reader takes the text.
 */
export class EventStream {
  readonly #deps: EventStreamDeps;
  readonly #reader: StreamReader;
  readonly #events: UserEvents;
  readonly #woken = new Subject<void>();
  #hasEnded = false;
  #hasChanged = false;
  /** The time since which the reader has not taken a text; null while there is none for it. */
  #offeredAt: number | null = null;
  readonly #timers: Subscription;
  readonly #following: Subscription;

  constructor(deps: EventStreamDeps, reader: StreamReader) {
    const { clock, feed } = deps;
    const { auth, cutOff } = reader;
    const { userId, token } = auth;
    this.#deps = deps;
    this.#reader = reader;
    this.#events = new UserEvents(deps, userId);
    this.#timers = timer(heartbeatMs, heartbeatMs, clock.scheduler).subscribe(() => {
      if (this.#offeredAt !== null && clock.now() - this.#offeredAt > readsWithinMs) cutOff();
    });
    this.#following = feed.changes$.subscribe((change) => {
      if (change.userId !== userId) return;
      this.#hasChanged = true;
      const { resource, resourceId, action } = change;
      if (resource === apiTokensResource && resourceId === token.id && action === "deleted") this.end();
      else this.#woken.next();
    });
    this.#following.add(feed.follow(userId));
  }

  /** Ends the text, or cuts the connection off when its reader does not take the last of it. */
  end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#timers.add(timer(endsWithinMs, this.#deps.clock.scheduler).subscribe(this.#reader.cutOff));
    this.#woken.next();
  }

  /** Frees what the stream holds; its reader is gone. */
  stop(): void {
    this.#hasEnded = true;
    this.#woken.next();
    this.#following.unsubscribe();
    this.#timers.unsubscribe();
  }

  /** Waits for a change, the next heartbeat or the end of the token. */
  async #untilWoken(): Promise<void> {
    if (this.#hasChanged || this.#hasEnded) return;
    const { clock } = this.#deps;
    const { expiresAt } = this.#reader.auth.token;
    const left = expiresAt === null ? heartbeatMs : expiresAt - clock.now();
    const delay = Math.max(0, Math.min(heartbeatMs, left));
    await firstValueFrom(merge(this.#woken, timer(delay, clock.scheduler)));
  }

  #messageText(eventId: string, message: OutgoingMessage): string {
    return `id: ${eventId}\ndata: ${encodeMessage(message, this.#deps.clock.now())}\n\n`;
  }

  async *#textsOf({ event, eventId }: ReadEvent): AsyncGenerator<string> {
    const { clientId, token } = this.#reader.auth;
    for (const { announce } of this.#deps.features) {
      const announcement = announce(event);
      const scope = scopeOfResource[announcement?.resources[0] ?? ""];
      if (!announcement || scope === undefined || !hasScope(token.scopes, scope)) continue;
      if (clientId !== null && clientId === announcement.exceptClientId) continue;
      if (announcement.mayBeTold && !(await announcement.mayBeTold(token))) continue;
      const message = await announcement.build();
      if (message) yield this.#messageText(eventId, message);
    }
  }

  async *#resetText(): AsyncGenerator<string> {
    await this.#events.skipAll();
    yield this.#messageText(this.#events.eventId, { type: "reset", data: { message: tooOld } });
  }

  async *#textsOfAll(found: readonly ReadEvent[] | null): AsyncGenerator<string> {
    if (found === null) yield* this.#resetText();
    else for (const one of withoutRepetitions(found)) yield* this.#textsOf(one);
  }

  async *#content(): AsyncGenerator<string> {
    const { lastEventId, auth } = this.#reader;
    if (lastEventId === null) await this.#events.skipAll();
    const missed = lastEventId === null ? [] : await this.#events.resume(lastEventId);
    yield `retry: ${retryMs}\n\n`;
    yield* this.#textsOfAll(missed);
    let said = "";
    for (;;) {
      const isNews = this.#events.eventId !== said;
      said = this.#events.eventId;
      yield isNews ? `:\nid: ${said}\n\n` : ":\n\n";
      await this.#untilWoken();
      const isHeartbeat = !this.#hasChanged;
      if (this.#hasEnded || (isHeartbeat && !(await this.#deps.isTokenValid(auth.token.id)))) return;
      this.#hasChanged = false;
      yield* this.#textsOfAll(await this.#events.read());
    }
  }

  async *texts(): AsyncGenerator<string> {
    try {
      // The token may have ended while the stream was opening.
      if (!(await this.#deps.isTokenValid(this.#reader.auth.token.id))) return;
      for await (const text of this.#content()) {
        if (this.#hasEnded) return;
        this.#offeredAt = this.#deps.clock.now();
        yield text;
        this.#offeredAt = null;
      }
    } finally {
      this.stop();
    }
  }
}
