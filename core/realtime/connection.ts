import type { HistoryEvent } from "./history.ts";
import type { ServerMessage } from "./messages.ts";

/** Where the connection stands (RT4); after `max-retries` nothing happens until somebody asks for it. */
export type ConnectionState = "idle" | "connecting" | "connected" | "disconnected" | "max-retries";

/** What a connection that is down waits for: its next try, the session's word, the user's return, or nothing. */
export type Pause = "retry" | "session" | "activity" | "nothing";

/** The connection as far as it is known. */
export interface ConnectionModel {
  readonly state: ConnectionState;
  /** Somebody is signed in and sockets are allowed. */
  readonly wanted: boolean;
  readonly pause: Pause;
  /** Tries to connect again in a row, none of which has led to an open socket. */
  readonly attempts: number;
  /** How often in a row the server has not accepted who this is. */
  readonly refusals: number;
  /** False once the server has said not to come back. */
  readonly mayReturn: boolean;
}

export type ConnectionTimer =
  | "connect"
  | "heartbeat"
  | "reply"
  | "inactivity"
  | "retry"
  | "session"
  | "flush";

/** What the session says when it is asked whether it goes on. `unknown`: it could not find out. */
export type SessionVerdict = "good" | "ended" | "unknown";

export type ConnectionEvent =
  /** Somebody is signed in and sockets are allowed, or no longer. */
  | { readonly kind: "wanted"; readonly wanted: boolean }
  | { readonly kind: "opened" }
  | { readonly kind: "received"; readonly message: ServerMessage }
  | { readonly kind: "closed"; readonly code: number; readonly reason: string }
  /** There was no token, or none that builds an address. */
  | { readonly kind: "no-token" }
  | { readonly kind: "due"; readonly timer: ConnectionTimer }
  | { readonly kind: "session"; readonly verdict: SessionVerdict }
  /** The device has slept, or its network has come back. */
  | { readonly kind: "resumed" }
  /** The device says that it has no network, which a server on the same device may not mind. */
  | { readonly kind: "no-network" }
  /** The user wants to be connected now. */
  | { readonly kind: "reconnect" }
  /** The user has done something, or something was said. */
  | { readonly kind: "active" }
  /** A message waits that cannot wait long. */
  | { readonly kind: "urgent" };

export type ConnectionEffect =
  | { readonly kind: "open" }
  | { readonly kind: "close"; readonly code: number; readonly reason: string }
  | { readonly kind: "say"; readonly type: "auth" | "heartbeat" | "heartbeat_ack" }
  /** Starts a timer, or starts it again. */
  | { readonly kind: "start"; readonly timer: ConnectionTimer; readonly afterMs: number }
  /** Starts the timer after the wait that belongs to this many earlier tries (RT5). */
  | { readonly kind: "back-off"; readonly timer: "retry" | "session"; readonly attempt: number }
  | { readonly kind: "stop"; readonly timer: ConnectionTimer | "all" }
  /** What waits may be sent from now on. */
  | { readonly kind: "flush" }
  /** Nothing can be sent any more, and no answer will come. */
  | { readonly kind: "shut"; readonly error: string }
  /** What waits belongs to somebody who has left. */
  | { readonly kind: "forget" }
  | { readonly kind: "ask-session" }
  | { readonly kind: "note"; readonly event: HistoryEvent }
  | { readonly kind: "report"; readonly code: number };

export interface Transition {
  readonly model: ConnectionModel;
  readonly effects: readonly ConnectionEffect[];
}

export const noConnection: ConnectionModel = {
  state: "idle",
  wanted: false,
  pause: "nothing",
  attempts: 0,
  refusals: 0,
  mayReturn: true,
};
