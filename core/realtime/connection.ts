import type { DataUpdate, ServerMessage } from "./messages.ts";

export type ConnectionState = "idle" | "connecting" | "connected" | "disconnected";

/** The connection as far as it is known. `attempts`: tries in a row that have not led to an open socket. */
export interface ConnectionModel {
  readonly state: ConnectionState;
  readonly wanted: boolean;
  readonly attempts: number;
}

export type ConnectionEvent =
  /** Somebody is signed in and sockets are allowed, or no longer. */
  | { readonly kind: "wanted"; readonly wanted: boolean }
  | { readonly kind: "opened" }
  | { readonly kind: "received"; readonly message: ServerMessage }
  | { readonly kind: "closed"; readonly code: number }
  | { readonly kind: "retry-due" };

export type ConnectionEffect =
  | { readonly kind: "open" }
  | { readonly kind: "close"; readonly reason: string }
  | { readonly kind: "authenticate" }
  | { readonly kind: "retry-later"; readonly attempt: number }
  | { readonly kind: "announce"; readonly update: DataUpdate };

export interface Transition {
  readonly model: ConnectionModel;
  readonly effects: readonly ConnectionEffect[];
}

export const noConnection: ConnectionModel = { state: "idle", wanted: false, attempts: 0 };

/** Closed on purpose (RFC 6455, 7.4.1). */
const normalClosure = 1000;

const stay = (model: ConnectionModel): Transition => ({ model, effects: [] });
const connect = (model: ConnectionModel): Transition => ({
  model: { ...model, state: "connecting" },
  effects: [{ kind: "open" }],
});

const wanted = (model: ConnectionModel, want: boolean): Transition => {
  if (want === model.wanted) return stay(model);
  if (want) return connect({ ...noConnection, wanted: true });
  return { model: noConnection, effects: [{ kind: "close", reason: "signed out" }] };
};

const received = (model: ConnectionModel, message: ServerMessage): Transition => {
  if (model.state !== "connected") return stay(model);
  if (message.type === "data_update") return { model, effects: [{ kind: "announce", update: message.data }] };
  if (message.type !== "auth_response" || message.data.success) return stay(model);
  return {
    model: { ...model, state: "disconnected" },
    effects: [{ kind: "close", reason: "authentication failed" }],
  };
};

const closed = (model: ConnectionModel, code: number): Transition => {
  if (!model.wanted || model.state === "disconnected") return stay(model);
  const down: ConnectionModel = { ...model, state: "disconnected", attempts: model.attempts + 1 };
  return code === normalClosure
    ? stay(down)
    : { model: down, effects: [{ kind: "retry-later", attempt: model.attempts }] };
};

/** What an event makes of the connection, and what is to be done about it (RT4, RT5, RT7). */
export const step = (model: ConnectionModel, event: ConnectionEvent): Transition => {
  switch (event.kind) {
    case "wanted":
      return wanted(model, event.wanted);
    case "opened":
      return model.state === "connecting"
        ? { model: { ...model, state: "connected", attempts: 0 }, effects: [{ kind: "authenticate" }] }
        : stay(model);
    case "received":
      return received(model, event.message);
    case "closed":
      return closed(model, event.code);
    case "retry-due":
      return model.wanted && model.state === "disconnected" ? connect(model) : stay(model);
  }
};
