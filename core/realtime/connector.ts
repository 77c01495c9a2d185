import { pipe } from "fp-ts/lib/function.js";
import type { Task } from "fp-ts/lib/Task.js";
import { type Observable, Subscription, skip } from "rxjs";
import { createState, mapState, type State } from "../kernel/state.ts";
import { startTask, tapResult } from "../kernel/task.ts";
import type { Clock } from "../ports/clock.ts";
import type { Random } from "../ports/random.ts";
import type { Reporter } from "../ports/reporter.ts";
import type { Connection, Socket, SocketEvent } from "../ports/socket.ts";
import {
  appendEntry,
  type ConnectionEffect,
  type ConnectionEvent,
  type ConnectionState,
  type ConnectionTimer,
  type HistoryEntry,
  type HistoryEvent,
  idleConnection,
  type SessionVerdict,
} from "./connection.ts";
import { step } from "./connectionMachine.ts";
import { reconnectDelay } from "./connectionTiming.ts";
import type { ServerMessage } from "./messages.ts";
import { createReadMessage } from "./receivedMessage.ts";
import { createTimers } from "./timers.ts";

/** The current socket, if any. */
interface SocketHandle {
  readonly open: (address: string) => void;
  /** Closes the socket; its later events are ignored. */
  readonly close: (code: number, reason: string) => void;
  /** Sends a text; false when no socket is open. */
  readonly transmit: (text: string) => boolean;
}

/** Dispatches the events of the socket with the messages that can be read. */
const createSocketHandle = (
  { socket, reporter }: Pick<ConnectorDeps, "socket" | "reporter">,
  dispatch: (event: ConnectionEvent) => void,
): SocketHandle => {
  const readMessage = createReadMessage(reporter);
  let connection: Connection | null = null;
  let subscription = Subscription.EMPTY;
  const handleSocketEvent = (event: SocketEvent): void => {
    const message = event.kind === "message" ? readMessage(event.text) : null;
    if (message !== null) dispatch({ kind: "received", message });
    if (event.kind !== "message") dispatch(event);
  };
  return {
    open: (address) => {
      connection = socket.open(address);
      subscription = connection.events$.subscribe(handleSocketEvent);
    },
    close: (code, reason) => {
      subscription.unsubscribe();
      connection?.close(code, reason);
      connection = null;
    },
    transmit: (text) => connection?.send(text) ?? false,
  };
};

export interface ConnectorDeps {
  readonly socket: Socket;
  readonly clock: Clock;
  readonly random: Random;
  readonly reporter: Reporter;
  /** True while a user is signed in and the server allows sockets. */
  readonly enabled$: Observable<boolean>;
  readonly online$: State<boolean>;
  /** Checks whether the session is still valid and renews an expired token. */
  readonly checkSession: Task<SessionVerdict>;
  /** The address of the socket; null while no usable token exists. */
  readonly address: () => string | null;
}

/** Sends messages of the connector and handles received ones. */
export interface MessageExchange {
  readonly sendControl: (type: "auth" | "heartbeat" | "heartbeat_ack") => void;
  /** Starts to send the queued messages. */
  readonly flush: () => void;
  /** Stops sending and fails all pending requests with `error`. */
  readonly close: (error: string) => void;
  /** Deletes the queued messages: they belong to a user who has signed out. */
  readonly clear: () => void;
  readonly handleMessage: (message: ServerMessage) => void;
}

type EffectHandlers = {
  readonly [Kind in ConnectionEffect["kind"]]: (
    effect: Extract<ConnectionEffect, { readonly kind: Kind }>,
  ) => void;
};

/** Runs the effects that `step` returns and dispatches events to it; makes no decisions itself. */
export class Connector {
  readonly state$: State<ConnectionState>;
  /** True while the connection is closed for inactivity and comes back with the next activity. */
  readonly isPaused$: State<boolean>;
  readonly history$: State<readonly HistoryEntry[]>;
  readonly #deps: ConnectorDeps;
  readonly #exchange: () => MessageExchange;
  readonly #model$ = createState(idleConnection);
  readonly #history$ = createState<readonly HistoryEntry[]>([]);
  readonly #socket: SocketHandle;
  readonly #effectHandlers: EffectHandlers;
  readonly #pendingEvents: ConnectionEvent[] = [];
  #isStepping = false;
  #isChecking = false;

  /** `exchange` is a function because the exchange itself needs the connector. */
  constructor(deps: ConnectorDeps, exchange: () => MessageExchange) {
    this.#deps = deps;
    this.#exchange = exchange;
    this.#socket = createSocketHandle(deps, (event) => this.dispatch(event));
    this.#effectHandlers = this.#createEffectHandlers();
    this.state$ = mapState(this.#model$, ({ state }) => state);
    this.isPaused$ = mapState(
      this.#model$,
      ({ state, pause }) => state === "disconnected" && pause === "activity",
    );
    this.history$ = this.#history$;
  }

  /** Handles one event at a time: events that an effect causes wait until all effects have run. */
  dispatch(event: ConnectionEvent): void {
    this.#pendingEvents.push(event);
    if (this.#isStepping) return;
    this.#isStepping = true;
    for (let next = this.#pendingEvents.shift(); next !== undefined; next = this.#pendingEvents.shift())
      this.#handleEvent(next);
    this.#isStepping = false;
  }

  record(event: HistoryEvent): void {
    this.#history$.update((history) => appendEntry(history, { ...event, at: this.#deps.clock.now() }));
  }

  transmit(text: string): boolean {
    return this.#socket.transmit(text);
  }

  start(): Subscription {
    const { enabled$, online$ } = this.#deps;
    const running = new Subscription(() => this.dispatch({ kind: "enabled", isEnabled: false }));
    running.add(enabled$.subscribe((isEnabled) => this.dispatch({ kind: "enabled", isEnabled })));
    running.add(
      online$
        .pipe(skip(1))
        .subscribe((isOnline) => this.dispatch({ kind: isOnline ? "resumed" : "no-network" })),
    );
    return running;
  }

  #handleEvent(event: ConnectionEvent): void {
    const wasConnected = this.#model$.value.state === "connected";
    const { model, effects } = step(this.#model$.value, event);
    this.#model$.set(model);
    for (const effect of effects) this.#runEffect(effect);
    if (event.kind === "received" && wasConnected) this.#exchange().handleMessage(event.message);
  }

  #runEffect(effect: ConnectionEffect): void {
    (this.#effectHandlers[effect.kind] as (effect: ConnectionEffect) => void)(effect);
  }

  #createEffectHandlers(): EffectHandlers {
    const { clock, random, reporter } = this.#deps;
    const timers = createTimers<ConnectionTimer>(clock, {
      onDue: (timer) => this.dispatch({ kind: "due", timer }),
      onSlept: () => this.dispatch({ kind: "resumed" }),
    });
    return {
      open: () => this.#open(),
      close: ({ code, reason }) => this.#socket.close(code, reason),
      send: ({ type }) => this.#exchange().sendControl(type),
      start: ({ timer, afterMs }) => timers.start(timer, afterMs),
      "back-off": ({ timer, attempt }) => timers.start(timer, reconnectDelay(attempt, random.fraction())),
      stop: ({ timer }) => timers.stop(timer),
      flush: () => this.#exchange().flush(),
      "stop-sending": ({ error }) => this.#exchange().close(error),
      "clear-queue": () => {
        this.#exchange().clear();
        this.#history$.set([]);
      },
      "check-session": () => this.#checkSession(),
      record: ({ event }) => this.record(event),
      report: ({ code }) =>
        reporter.report(new Error(`The socket was closed with code ${code}`), { part: "realtime" }),
    };
  }

  #open(): void {
    const address = this.#deps.address();
    if (address === null) this.dispatch({ kind: "no-token" });
    else this.#socket.open(address);
  }

  #checkSession(): void {
    if (this.#isChecking) return;
    this.#isChecking = true;
    pipe(
      this.#deps.checkSession,
      tapResult((verdict) => {
        this.#isChecking = false;
        this.dispatch({ kind: "session", verdict });
      }),
      startTask,
    );
  }
}
