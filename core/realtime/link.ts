import { left } from "fp-ts/lib/Either.js";
import type { TaskEither } from "fp-ts/lib/TaskEither.js";
import { type Observable, Subject, type Subscription } from "rxjs";
import { type Failure, unavailable } from "../kernel/failure.ts";
import type { State } from "../kernel/state.ts";
import { makeSocketSessionId, socketAddress } from "./address.ts";
import type { Topic } from "./clientMessages.ts";
import type { ConnectionState } from "./connection.ts";
import { type ConnectorNeeds, makeConnector, type Speaker } from "./connector.ts";
import { makeEnvelopes, type Said } from "./envelope.ts";
import type { HistoryEntry } from "./history.ts";
import { notConnected, whyUnanswered } from "./linkErrors.ts";
import type { ServerMessage } from "./messages.ts";
import { makeOutbox, type SendOptions } from "./outbox.ts";
import { makeReplies } from "./replies.ts";

/** The connection to the server, and everything that may be said over it. */
export interface Link {
  readonly state$: State<ConnectionState>;
  readonly history$: State<readonly HistoryEntry[]>;
  readonly messages$: Observable<ServerMessage>;
  /** A connection has opened, its topics are followed, and what waited goes out. */
  readonly ready$: Observable<void>;
  readonly reconnect: () => void;
  /** The user has done something: the connection stays, or comes back if it was closed for want of that. */
  readonly active: () => void;
  /**
   * Sends when there is a connection; a message of high priority makes one. False, and nothing waits, when it is
   * longer than 16,384 bytes, too much waits already, or nobody is signed in.
   */
  readonly send: (said: Said, options?: SendOptions) => boolean;
  /** Sends now, or drops the message (RT8); whether it was sent. */
  readonly post: (said: Said) => boolean;
  /** Says something and waits up to 10 s for its answer; fails at once when not connected (RT10). */
  readonly request: <Answer extends ServerMessage>(
    said: Said,
    isAnswer: (message: ServerMessage) => message is Answer,
  ) => TaskEither<Failure, Answer>;
  /** Wants to hear of a topic, over this connection and every later one, until unfollowed. */
  readonly follow: (topic: Topic) => () => void;
  readonly start: () => Subscription;
}

export interface LinkNeeds extends Omit<ConnectorNeeds, "address"> {
  readonly baseAddress: string;
  readonly token: () => string | null;
}

/** Goes out before what waits, or not at all. */
const atOnce: SendOptions = { priority: "high", retries: 0 };
const capabilities = { binary: false, compression: false, encryption: false };

export const makeLink = (needs: LinkNeeds): Link => {
  const { clock, random, baseAddress, token } = needs;
  const messages$ = new Subject<ServerMessage>();
  const ready$ = new Subject<void>();
  const topics = new Set<Topic>();
  const sessionId = makeSocketSessionId(random);
  const envelopes = makeEnvelopes(clock, random, sessionId);
  const replies = makeReplies(clock.scheduler);
  const address = (): string | null => {
    const held = token();
    return held === null ? null : socketAddress(baseAddress, held, clock.now(), sessionId);
  };
  const connector = makeConnector({ ...needs, address }, () => speaker);
  const outbox = makeOutbox({ clock, envelopes, transmit: connector.transmit });
  const { happened, state$ } = connector;

  const speaker: Speaker = {
    say: (type) => {
      if (type !== "auth") return void outbox.post({ type }, true);
      outbox.post({ type, data: { token: token() ?? "", sessionId, capabilities } }, true);
      for (const topic of topics) outbox.post({ type: "subscribe", data: topic }, true);
    },
    flush: () => {
      outbox.open();
      ready$.next();
    },
    shut: (error) => {
      outbox.shut();
      replies.fail(error);
    },
    forget: outbox.clear,
    heard: (message) => {
      replies.heard(message);
      messages$.next(message);
    },
  };
  const isConnected = (): boolean => state$.value === "connected";
  const isUnwanted = (): boolean => state$.value === "idle";
  const active = (): void => happened({ kind: "active" });

  return {
    state$,
    history$: connector.history$,
    messages$,
    ready$,
    reconnect: () => happened({ kind: "reconnect" }),
    active,
    send: (said, options = {}) => {
      if (isUnwanted() || outbox.send(said, options) === null) return false;
      active();
      if (options.priority === "high") happened({ kind: "urgent" });
      return true;
    },
    post: (said) => {
      const isSent = isConnected() && outbox.post(said);
      active();
      return isSent;
    },
    request: (said, isAnswer) => () => {
      const id = isConnected() ? outbox.send(said, atOnce) : undefined;
      if (id === undefined) return Promise.resolve(left(notConnected));
      if (id === null) return Promise.resolve(left(unavailable("This cannot be said over the socket")));
      active();
      return replies.expect(isAnswer, (failure) => {
        outbox.withdraw(id);
        if (isConnected()) connector.note({ kind: "unanswered", error: whyUnanswered(failure) });
      })();
    },
    follow: (topic) => {
      const tell = (type: "subscribe" | "unsubscribe"): void => {
        if (isConnected()) outbox.send({ type, data: topic }, atOnce);
      };
      topics.add(topic);
      tell("subscribe");
      return () => {
        topics.delete(topic);
        tell("unsubscribe");
      };
    },
    start: connector.start,
  };
};
