import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import type { Task } from "fp-ts/lib/Task.js";
import { type Observable, Subscription, skip } from "rxjs";
import { leftOutOfAnswer } from "../api/leftOut.ts";
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
import { ServerMessage } from "./messages.ts";
import { createTimers } from "./timers.ts";

/** The current socket, if any. */
export interface SocketHandle {
  readonly open: (address: string) => void;
  /** Closes the socket; its later events are ignored. */
  readonly close: (code: number, reason: string) => void;
  /** Sends a text; false when no socket is open. */
  readonly transmit: (text: string) => boolean;
}

const decodeMessage = (text: string): ServerMessage | null => {
  const json = E.tryCatch(
    (): unknown => JSON.parse(text),
    () => undefined,
  );
  const message = E.chainW(ServerMessage.decode)(json);
  return E.isRight(message) ? message.right : null;
};

/** Dispatches the events of the socket with decoded messages; ignores messages that do not decode. */
const createSocketHandle = (
  { socket, reporter }: Pick<ConnectorDeps, "socket" | "reporter">,
  dispatch: (event: ConnectionEvent) => void,
): SocketHandle => {
  const reportLeftOut = (data: unknown): void => {
    const [problem] = leftOutOfAnswer(data);
    if (problem !== undefined)
      reporter.report(new Error("get_notifications has entries that cannot be read"), {
        problems: problem,
      });
  };
  let connection: Connection | null = null;
  let subscription = Subscription.EMPTY;
  const handleSocketEvent = (event: SocketEvent): void => {
    const message = event.kind === "message" ? decodeMessage(event.text) : null;
    if (message?.type === "notifications") reportLeftOut(message.data);
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

/** What the connector calls to send messages and to handle received ones. */
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

/** Runs the effects that `step` returns and dispatches events to it; makes no decisions itself. */
export interface Connector {
  readonly state$: State<ConnectionState>;
  /** True while the connection is closed for inactivity and comes back with the next activity. */
  readonly isPaused$: State<boolean>;
  readonly history$: State<readonly HistoryEntry[]>;
  readonly dispatch: (event: ConnectionEvent) => void;
  readonly record: (event: HistoryEvent) => void;
  readonly transmit: (text: string) => boolean;
  readonly start: () => Subscription;
}

type EffectHandlers = {
  readonly [Kind in ConnectionEffect["kind"]]: (
    effect: Extract<ConnectionEffect, { readonly kind: Kind }>,
  ) => void;
};

/** Creates a connector. `exchange` is a function because the exchange itself needs the connector. */
export const createConnector = (deps: ConnectorDeps, exchange: () => MessageExchange): Connector => {
  const { clock, random, reporter } = deps;
  const model$ = createState(idleConnection);
  const history$ = createState<readonly HistoryEntry[]>([]);
  const record = (event: HistoryEvent): void =>
    history$.update((history) => appendEntry(history, { ...event, at: clock.now() }));

  let isStepping = false;
  const pendingEvents: ConnectionEvent[] = [];
  const handleEvent = (event: ConnectionEvent): void => {
    const wasConnected = model$.value.state === "connected";
    const { model, effects } = step(model$.value, event);
    model$.set(model);
    effects.forEach(runEffect);
    if (event.kind === "received" && wasConnected) exchange().handleMessage(event.message);
  };
  /** Handles one event at a time: events that an effect causes wait until all effects have run. */
  const dispatch = (event: ConnectionEvent): void => {
    pendingEvents.push(event);
    if (isStepping) return;
    isStepping = true;
    for (let next = pendingEvents.shift(); next !== undefined; next = pendingEvents.shift())
      handleEvent(next);
    isStepping = false;
  };
  const socketHandle = createSocketHandle(deps, dispatch);
  const timers = createTimers<ConnectionTimer>(clock, {
    onDue: (timer) => dispatch({ kind: "due", timer }),
    onSlept: () => dispatch({ kind: "resumed" }),
  });
  const open = (): void => {
    const address = deps.address();
    if (address === null) dispatch({ kind: "no-token" });
    else socketHandle.open(address);
  };
  let isChecking = false;
  const checkSession = (): void => {
    if (isChecking) return;
    isChecking = true;
    pipe(
      deps.checkSession,
      tapResult((verdict) => {
        isChecking = false;
        dispatch({ kind: "session", verdict });
      }),
      startTask,
    );
  };
  const effectHandlers: EffectHandlers = {
    open,
    close: ({ code, reason }) => socketHandle.close(code, reason),
    send: ({ type }) => exchange().sendControl(type),
    start: ({ timer, afterMs }) => timers.start(timer, afterMs),
    "back-off": ({ timer, attempt }) => timers.start(timer, reconnectDelay(attempt, random.fraction())),
    stop: ({ timer }) => timers.stop(timer),
    flush: () => exchange().flush(),
    "stop-sending": ({ error }) => exchange().close(error),
    "clear-queue": () => {
      exchange().clear();
      history$.set([]);
    },
    "check-session": checkSession,
    record: ({ event }) => record(event),
    report: ({ code }) =>
      reporter.report(new Error(`The socket was closed with code ${code}`), { part: "realtime" }),
  };
  const runEffect = (effect: ConnectionEffect): void =>
    (effectHandlers[effect.kind] as (effect: ConnectionEffect) => void)(effect);
  const network$ = deps.online$.pipe(skip(1));
  return {
    state$: mapState(model$, ({ state }) => state),
    isPaused$: mapState(model$, ({ state, pause }) => state === "disconnected" && pause === "activity"),
    history$,
    dispatch,
    record,
    transmit: socketHandle.transmit,
    start: () => {
      const subscription = new Subscription(() => dispatch({ kind: "enabled", isEnabled: false }));
      subscription.add(deps.enabled$.subscribe((isEnabled) => dispatch({ kind: "enabled", isEnabled })));
      subscription.add(
        network$.subscribe((isOnline) => dispatch({ kind: isOnline ? "resumed" : "no-network" })),
      );
      return subscription;
    },
  };
};
