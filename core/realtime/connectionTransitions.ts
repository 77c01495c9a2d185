import { normalClosure } from "./closeCodes.ts";
import {
  type ConnectionEffect,
  type ConnectionModel,
  type ConnectionTimer,
  type HistoryEvent,
  idleConnection,
  type Transition,
} from "./connection.ts";
import { connectWithinMs, maxAttempts } from "./connectionTiming.ts";
import { connectionClosed } from "./socketErrors.ts";

export type Effects = readonly ConnectionEffect[];

export const transition = (model: ConnectionModel, ...effects: Effects): Transition => ({ model, effects });
export const recordHistory = (event: HistoryEvent): ConnectionEffect => ({ kind: "record", event });
export const startTimer = (timer: ConnectionTimer, afterMs: number): ConnectionEffect => ({
  kind: "start",
  timer,
  afterMs,
});
export const closeSocket = (reason: string, code = normalClosure, error = connectionClosed): Effects => [
  { kind: "stop", timer: "all" },
  { kind: "close", code, reason },
  { kind: "stop-sending", error },
];
export const toDisconnected = (model: ConnectionModel, pause: ConnectionModel["pause"]): ConnectionModel => ({
  ...model,
  state: "disconnected",
  pause,
});

export const connect = (model: ConnectionModel, ...effectsBefore: Effects): Transition =>
  transition(
    { ...model, state: "connecting", pause: "nothing" },
    ...effectsBefore,
    { kind: "stop", timer: "all" },
    recordHistory({ kind: "connecting", attempt: model.attempts }),
    startTimer("connect", connectWithinMs),
    { kind: "open" },
  );

export const restart = (model: ConnectionModel, ...effectsBefore: Effects): Transition =>
  connect({ ...idleConnection, isEnabled: model.isEnabled }, ...effectsBefore);

export const giveUp = (model: ConnectionModel, ...effectsBefore: Effects): Transition =>
  transition(
    { ...model, state: "max-retries", pause: "nothing" },
    ...effectsBefore,
    recordHistory({ kind: "gave-up" }),
  );

/** Schedules a reconnection with a growing delay; gives up after the maximum number of attempts (RT5). */
export const retry = (
  model: ConnectionModel,
  effectsBefore: Effects,
  timer?: ConnectionEffect,
): Transition =>
  model.attempts >= maxAttempts
    ? giveUp(model, ...effectsBefore)
    : transition(
        { ...toDisconnected(model, "retry"), attempts: model.attempts + 1 },
        ...effectsBefore,
        timer ?? { kind: "back-off", timer: "retry", attempt: model.attempts },
      );

/** Handles a rejected authentication: the session is checked before another attempt. */
export const onUnauthorized = (model: ConnectionModel, effectsBefore: Effects): Transition =>
  transition(toDisconnected(model, "session"), ...effectsBefore, { kind: "check-session" });
