import type { Clock } from "../../../core/ports/clock.ts";
import type { SessionContext } from "../store/authContext.ts";
import type { ChangeEvent } from "../store/events.ts";
import type { Announcement, SocketFeature } from "./socketFeature.ts";
import { encodeMessage, maxSocketsPerUser } from "./socketMessages.ts";
import type { Topics } from "./topics.ts";

/** Close code 1008 (policy violation), for a session that is missing or has ended (RFC 6455, 7.4.1). */
export const policyViolation = 1008;
/** Close code 1013 (try again later), for a user with too many open sockets. */
export const tryAgainLater = 1013;

/** One open socket with its user and session. */
export interface SocketClient extends SessionContext {
  /** Identifies one run of the app, which also sends it with its requests; null when the page sent none. */
  readonly clientId: string | null;
  readonly topics: Topics;
  readonly sendText: (text: string) => void;
  readonly close: (code: number, reason: string) => void;
  /** True if the socket has not answered the last ping. */
  readonly isSilent: () => boolean;
}

interface HubDeps {
  readonly features: readonly Pick<SocketFeature, "announce">[];
  readonly endedSession: (event: ChangeEvent) => string | null;
  readonly clock: Pick<Clock, "now">;
  readonly maxSockets?: number;
}

interface ChangeQueue {
  readonly waiting: Map<string, ChangeEvent>;
  sending: Promise<void>;
}

const keyOf = ({ resource, resourceId, action }: ChangeEvent): string =>
  JSON.stringify([resource, resourceId, action]);

/** The message is built from what is stored when it is sent, so updates of one thing can be combined. */
const mergeEvents = (earlier: ChangeEvent, later: ChangeEvent): ChangeEvent =>
  earlier.clientId === later.clientId ? later : { ...later, clientId: null };

/** Keeps the open sockets of this process by user, and sends them the changes of theirs. */
export class SocketHub {
  readonly #deps: HubDeps;
  readonly #maxSockets: number;
  readonly #clients = new Map<string, Set<SocketClient>>();
  readonly #queues = new Map<string, ChangeQueue>();

  constructor(deps: HubDeps) {
    this.#deps = deps;
    this.#maxSockets = deps.maxSockets ?? maxSocketsPerUser;
  }

  /** Adds a socket; false when the user has too many. A socket that does not answer pings is replaced. */
  readonly join = (client: SocketClient): boolean => {
    const silentClient =
      this.#clientsOf(client.userId).length >= this.#maxSockets &&
      this.#clientsOf(client.userId).find((other) => other.isSilent());
    if (silentClient) {
      this.leave(silentClient);
      silentClient.close(tryAgainLater, "Another socket has taken its place");
    }
    const userClients = this.#clients.get(client.userId) ?? new Set();
    if (userClients.size >= this.#maxSockets) return false;
    this.#clients.set(client.userId, userClients.add(client));
    return true;
  };

  readonly leave = (client: SocketClient): void => {
    const userClients = this.#clients.get(client.userId);
    userClients?.delete(client);
    if (userClients?.size === 0) this.#clients.delete(client.userId);
  };

  /** Sends a change to the sockets of its user; the end of a session closes its sockets. */
  readonly publish = (event: ChangeEvent): void => {
    const sessionId = this.#deps.endedSession(event);
    if (sessionId !== null) this.#closeSession(event.userId, sessionId);
    else if (this.#clients.has(event.userId)) this.#enqueue(event);
  };

  /** Resolves when all earlier changes of the user have been sent. */
  readonly flushed = (userId: string): Promise<void> =>
    this.#queues.get(userId)?.sending ?? Promise.resolve();

  #clientsOf(userId: string): readonly SocketClient[] {
    return [...(this.#clients.get(userId) ?? [])];
  }

  #closeSession(userId: string, sessionId: string): void {
    for (const client of this.#clientsOf(userId))
      if (client.sessionId === sessionId) client.close(policyViolation, "The session has ended");
  }

  #recipientsOf(
    userId: string,
    { resources, resourceId, exceptClientId }: Announcement,
  ): readonly SocketClient[] {
    return this.#clientsOf(userId).filter(
      ({ topics, clientId }) =>
        topics.includes(resources, resourceId) && (clientId === null || clientId !== exceptClientId),
    );
  }

  async #sendChange(event: ChangeEvent): Promise<void> {
    for (const { announce } of this.#deps.features) {
      const announcement = announce(event);
      if (!announcement || this.#recipientsOf(event.userId, announcement).length === 0) continue;
      const message = await announcement.build();
      if (!message) continue;
      const text = encodeMessage(message, this.#deps.clock.now());
      for (const { sendText } of this.#recipientsOf(event.userId, announcement)) sendText(text);
    }
  }

  /** Sends a user's changes in commit order. */
  #enqueue(event: ChangeEvent): void {
    const { userId } = event;
    const queue = this.#queues.get(userId) ?? { waiting: new Map(), sending: Promise.resolve() };
    this.#queues.set(userId, queue);
    const key = keyOf(event);
    const earlier = queue.waiting.get(key);
    queue.waiting.set(key, earlier ? mergeEvents(earlier, event) : event);
    if (earlier) return;
    queue.sending = queue.sending
      .then(() => {
        const next = queue.waiting.get(key);
        queue.waiting.delete(key);
        return next && this.#sendChange(next);
      })
      .catch(() => {})
      .finally(() => {
        if (queue.waiting.size === 0 && this.#queues.get(userId) === queue) this.#queues.delete(userId);
      });
  }
}
