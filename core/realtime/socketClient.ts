import * as TE from "fp-ts/lib/TaskEither.js";
import { type Observable, Subject, type Subscription } from "rxjs";
import { type Failure, unavailable } from "../kernel/failure.ts";
import type { State } from "../kernel/state.ts";
import { deferTask } from "../kernel/task.ts";
import type { Topic } from "./clientMessages.ts";
import type { ConnectionState, HistoryEntry } from "./connection.ts";
import { Connector, type ConnectorDeps, type MessageExchange } from "./connector.ts";
import { FollowedTopics } from "./followedTopics.ts";
import { createEnvelopes, MessageQueue, type OutgoingMessage, type SendOptions } from "./messageQueue.ts";
import type { ServerMessage } from "./messages.ts";
import { createPendingReplies } from "./pendingReplies.ts";
import { describeUnanswered, notConnected } from "./socketErrors.ts";

const hasThreeParts = (token: string): boolean => /^[^.]+\.[^.]+\.[^.]+$/.test(token);

/**
 * Builds the address of the socket; null when the token does not have three parts separated by dots (RT1).
 * `now` is in milliseconds since 1970. An empty `baseAddress` means the origin of the page.
 */
export const socketAddress = (
  baseAddress: string,
  token: string,
  now: number,
  sessionId: string,
): string | null => {
  if (!hasThreeParts(token)) return null;
  const query = Object.entries({ token, t: String(now), client: "web", sessionId })
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join("&");
  return `${baseAddress.replace(/^http/, "ws").replace(/\/+$/, "")}/ws?${query}`;
};

/** The client's end of the socket: connects, reconnects, sends, and matches answers to requests. */
export interface SocketClient {
  readonly state$: State<ConnectionState>;
  /** True while the connection is closed for inactivity. */
  readonly isPaused$: State<boolean>;
  readonly history$: State<readonly HistoryEntry[]>;
  readonly messages$: Observable<ServerMessage>;
  /** Emits when a connection has opened, its topics are subscribed and queued messages go out. */
  readonly ready$: Observable<void>;
  readonly reconnect: () => void;
  /** Keeps the connection open, or reopens one that was closed for inactivity. */
  readonly markActive: () => void;
  /**
   * Queues a message and sends it when connected; a message of high priority starts a connection. Returns
   * false, and queues nothing, when the message is longer than 16,384 bytes, the queue is full, or nobody is
   * signed in.
   */
  readonly send: (message: OutgoingMessage, options?: SendOptions) => boolean;
  /** Sends a message immediately or drops it (RT8); returns whether it was sent. */
  readonly sendNow: (message: OutgoingMessage) => boolean;
  /** Sends a message and waits up to 10 s for the answer; fails immediately when not connected (RT10). */
  readonly request: <Answer extends ServerMessage>(
    message: OutgoingMessage,
    isAnswer: (message: ServerMessage) => message is Answer,
  ) => TE.TaskEither<Failure, Answer>;
  /** Subscribes to a topic on this and every later connection until the returned function is called. */
  readonly subscribeTo: (topic: Topic) => () => void;
  readonly start: () => Subscription;
}

export interface SocketClientDeps extends Omit<ConnectorDeps, "address"> {
  readonly baseAddress: string;
  readonly token: () => string | null;
  /** Names this run of the app to the server, in the session id of the socket (RT1) and with each change. */
  readonly clientId: string;
}

/** The message goes to the front of the queue and is dropped when sending fails. */
const highPriority: SendOptions = { priority: "high", retries: 0 };
const capabilities = { binary: false, compression: false, encryption: false };

export const createSocketClient = (deps: SocketClientDeps): SocketClient => {
  const { clock, random, baseAddress, token, clientId: sessionId } = deps;
  const messages$ = new Subject<ServerMessage>();
  const ready$ = new Subject<void>();
  const envelopes = createEnvelopes(clock, random, sessionId);
  const replies = createPendingReplies(clock.scheduler);
  const address = (): string | null => {
    const currentToken = token();
    return currentToken === null ? null : socketAddress(baseAddress, currentToken, clock.now(), sessionId);
  };
  const connector = new Connector({ ...deps, address }, () => exchange);
  const queue = new MessageQueue({ clock, envelopes, transmit: (text) => connector.transmit(text) });
  const { state$ } = connector;

  const exchange: MessageExchange = {
    sendControl: (type) => {
      if (type !== "auth") return void queue.sendNow({ type }, true);
      queue.sendNow({ type, data: { token: token() ?? "", sessionId, capabilities } }, true);
      topics.subscribeAll((message) => queue.sendNow(message, true));
    },
    flush: () => {
      queue.open();
      ready$.next();
    },
    close: (error) => {
      queue.close();
      replies.failAll(error);
    },
    clear: () => queue.clear(),
    handleMessage: (message) => {
      replies.handleMessage(message);
      messages$.next(message);
    },
  };
  const isConnected = (): boolean => state$.value === "connected";
  const topics = new FollowedTopics(
    random,
    (message) => isConnected() && queue.send(message, highPriority) !== null,
  );
  const isIdle = (): boolean => state$.value === "idle";
  const markActive = (): void => connector.dispatch({ kind: "active" });

  return {
    state$,
    isPaused$: connector.isPaused$,
    history$: connector.history$,
    messages$,
    ready$,
    reconnect: () => connector.dispatch({ kind: "reconnect" }),
    markActive,
    send: (outgoing, options = {}) => {
      if (isIdle() || queue.send(outgoing, options) === null) return false;
      markActive();
      if (options.priority === "high") connector.dispatch({ kind: "urgent" });
      return true;
    },
    sendNow: (outgoing) => {
      const isSent = isConnected() && queue.sendNow(outgoing);
      markActive();
      return isSent;
    },
    request: (outgoing, isAnswer) =>
      deferTask(() => {
        const id = isConnected() ? queue.send(outgoing, highPriority) : undefined;
        if (id === undefined) return TE.left(notConnected);
        if (id === null) return TE.left(unavailable("This cannot be said over the socket"));
        markActive();
        return replies.waitFor(isAnswer, (failure) => {
          queue.remove(id);
          if (isConnected()) connector.record({ kind: "unanswered", error: describeUnanswered(failure) });
        });
      }),
    subscribeTo: (topic) => topics.follow(topic),
    start: () => connector.start(),
  };
};
