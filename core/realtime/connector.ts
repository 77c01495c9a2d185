import type { Task } from "fp-ts/lib/Task.js";
import { type Observable, Subscription, skip } from "rxjs";
import { makeState, mapState, type State } from "../kernel/state.ts";
import type { Clock } from "../ports/clock.ts";
import type { Random } from "../ports/random.ts";
import type { Reporter } from "../ports/reporter.ts";
import type { Socket } from "../ports/socket.ts";
import {
  type ConnectionEffect,
  type ConnectionEvent,
  type ConnectionState,
  type ConnectionTimer,
  noConnection,
  type SessionVerdict,
} from "./connection.ts";
import { type HistoryEntry, type HistoryEvent, recorded } from "./history.ts";
import { makeLine } from "./line.ts";
import type { ServerMessage } from "./messages.ts";
import { reconnectDelay } from "./reconnectDelay.ts";
import { step } from "./step.ts";
import { makeTimers } from "./timers.ts";

export interface ConnectorNeeds {
  readonly socket: Socket;
  readonly clock: Clock;
  readonly random: Random;
  readonly reporter: Reporter;
  /** Whether there should be a connection now. */
  readonly wanted$: Observable<boolean>;
  readonly online$: State<boolean>;
  /** Finds out whether the session goes on; one that has grown old is renewed by it. */
  readonly askSession: Task<SessionVerdict>;
  /** Where to connect to; null while there is nothing to show for oneself. */
  readonly address: () => string | null;
}

/** Whoever speaks over the connection. */
export interface Speaker {
  readonly say: (type: "auth" | "heartbeat" | "heartbeat_ack") => void;
  /** What waits may go. */
  readonly flush: () => void;
  /** Nothing can be sent any more, and whoever waits for an answer is told. */
  readonly shut: (error: string) => void;
  /** What waits belongs to somebody who has left. */
  readonly forget: () => void;
  readonly heard: (message: ServerMessage) => void;
}

/** Carries out what `step` decides, and tells it what happens; it decides nothing itself. */
export interface Connector {
  readonly state$: State<ConnectionState>;
  readonly history$: State<readonly HistoryEntry[]>;
  readonly happened: (event: ConnectionEvent) => void;
  readonly note: (event: HistoryEvent) => void;
  /** False when there is no open socket. */
  readonly transmit: (text: string) => boolean;
  readonly start: () => Subscription;
}

type Deeds = {
  readonly [Kind in ConnectionEffect["kind"]]: (
    effect: Extract<ConnectionEffect, { readonly kind: Kind }>,
  ) => void;
};

/** `speaker` is asked for when there is something to say, so that it may be made of the connector. */
export const makeConnector = (needs: ConnectorNeeds, speaker: () => Speaker): Connector => {
  const { clock, random, reporter } = needs;
  const model$ = makeState(noConnection);
  const history$ = makeState<readonly HistoryEntry[]>([]);
  const note = (event: HistoryEvent): void =>
    history$.update((history) => recorded(history, { ...event, at: clock.now() }));

  let isStepping = false;
  const waiting: ConnectionEvent[] = [];
  const take = (event: ConnectionEvent): void => {
    const wasConnected = model$.value.state === "connected";
    const { model, effects } = step(model$.value, event);
    model$.set(model);
    effects.forEach(perform);
    if (event.kind === "received" && wasConnected) speaker().heard(event.message);
  };
  /** One event after the other: what an effect causes is looked at when all effects have been carried out. */
  const happened = (event: ConnectionEvent): void => {
    waiting.push(event);
    if (isStepping) return;
    isStepping = true;
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) take(next);
    isStepping = false;
  };
  const line = makeLine(needs.socket, happened);
  const timers = makeTimers<ConnectionTimer>(clock, {
    due: (timer) => happened({ kind: "due", timer }),
    slept: () => happened({ kind: "resumed" }),
  });
  const open = (): void => {
    const address = needs.address();
    if (address === null) happened({ kind: "no-token" });
    else line.open(address);
  };
  let isAsking = false;
  const askSession = (): void => {
    if (isAsking) return;
    isAsking = true;
    void needs.askSession().then((verdict) => {
      isAsking = false;
      happened({ kind: "session", verdict });
    });
  };
  const deeds: Deeds = {
    open,
    close: ({ code, reason }) => line.close(code, reason),
    say: ({ type }) => speaker().say(type),
    start: ({ timer, afterMs }) => timers.start(timer, afterMs),
    "back-off": ({ timer, attempt }) => timers.start(timer, reconnectDelay(attempt, random.fraction())),
    stop: ({ timer }) => timers.stop(timer),
    flush: () => speaker().flush(),
    shut: ({ error }) => speaker().shut(error),
    forget: () => {
      speaker().forget();
      history$.set([]);
    },
    "ask-session": askSession,
    note: ({ event }) => note(event),
    report: ({ code }) =>
      reporter.report(new Error(`The socket was closed with code ${code}`), { part: "realtime" }),
  };
  const perform = (effect: ConnectionEffect): void =>
    (deeds[effect.kind] as (effect: ConnectionEffect) => void)(effect);
  const network$ = needs.online$.pipe(skip(1));
  return {
    state$: mapState(model$, ({ state }) => state),
    history$,
    happened,
    note,
    transmit: line.transmit,
    start: () => {
      const running = new Subscription(() => happened({ kind: "wanted", wanted: false }));
      running.add(needs.wanted$.subscribe((wanted) => happened({ kind: "wanted", wanted })));
      running.add(network$.subscribe((isOnline) => happened({ kind: isOnline ? "resumed" : "no-network" })));
      return running;
    },
  };
};
