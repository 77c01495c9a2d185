import { normalClosure } from "./closeCodes.ts";
import type { ConnectionEffect, ConnectionModel, ConnectionTimer, Transition } from "./connection.ts";
import { noConnection } from "./connection.ts";
import { connectWithinMs, maxAttempts } from "./connectionTimes.ts";
import type { HistoryEvent } from "./history.ts";
import { connectionClosed } from "./linkErrors.ts";

export type Effects = readonly ConnectionEffect[];

export const go = (model: ConnectionModel, ...effects: Effects): Transition => ({ model, effects });
export const note = (event: HistoryEvent): ConnectionEffect => ({ kind: "note", event });
export const start = (timer: ConnectionTimer, afterMs: number): ConnectionEffect => ({
  kind: "start",
  timer,
  afterMs,
});
export const hangUp = (reason: string, code = normalClosure, error = connectionClosed): Effects => [
  { kind: "stop", timer: "all" },
  { kind: "close", code, reason },
  { kind: "shut", error },
];
export const down = (model: ConnectionModel, pause: ConnectionModel["pause"]): ConnectionModel => ({
  ...model,
  state: "disconnected",
  pause,
});

export const connect = (model: ConnectionModel, ...before: Effects): Transition =>
  go(
    { ...model, state: "connecting", pause: "nothing" },
    ...before,
    { kind: "stop", timer: "all" },
    note({ kind: "connecting", attempt: model.attempts }),
    start("connect", connectWithinMs),
    { kind: "open" },
  );

export const connectAnew = (model: ConnectionModel, ...before: Effects): Transition =>
  connect({ ...noConnection, wanted: model.wanted }, ...before);

export const giveUp = (model: ConnectionModel, ...before: Effects): Transition =>
  go({ ...model, state: "max-retries", pause: "nothing" }, ...before, note({ kind: "gave-up" }));

/** The connection is lost and is wanted back: later each time, and not without end (RT5). */
export const tryAgain = (model: ConnectionModel, before: Effects, wait?: ConnectionEffect): Transition =>
  model.attempts >= maxAttempts
    ? giveUp(model, ...before)
    : go(
        { ...down(model, "retry"), attempts: model.attempts + 1 },
        ...before,
        wait ?? { kind: "back-off", timer: "retry", attempt: model.attempts },
      );

/** The server does not accept who this is: the session has the word before anything else is tried. */
export const refused = (model: ConnectionModel, before: Effects): Transition =>
  go({ ...down(model, "session"), refusals: model.refusals + 1 }, ...before, { kind: "ask-session" });
