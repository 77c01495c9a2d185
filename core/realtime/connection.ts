import type { ServerMessage } from "./messages.ts";

/** An event in the history of the connection. */
export type HistoryEvent =
  /** `attempt`: the number of earlier attempts in a row. */
  | { readonly kind: "connecting"; readonly attempt: number }
  | { readonly kind: "opened" }
  | { readonly kind: "closed"; readonly code: number; readonly reason: string }
  | { readonly kind: "timed-out" }
  | { readonly kind: "no-reply" }
  | { readonly kind: "no-token" }
  /** The server rejected the authentication. */
  | { readonly kind: "refused"; readonly error: string }
  | { readonly kind: "server-error"; readonly error: string }
  /** A request over the connection got no answer. */
  | { readonly kind: "unanswered"; readonly error: string }
  | { readonly kind: "inactive" }
  | { readonly kind: "resumed" }
  | { readonly kind: "gave-up" };

/** A history event and its time, in milliseconds since 1970. */
export type HistoryEntry = HistoryEvent & { readonly at: number };

/** The maximum number of history entries (RT11). */
const historyLength = 20;

/** Appends an entry and drops the oldest one beyond the maximum; the newest entry is last. */
export const appendEntry = (
  history: readonly HistoryEntry[],
  entry: HistoryEntry,
): readonly HistoryEntry[] => [...history.slice(1 - historyLength), entry];

/** The state of the connection (RT4). After `max-retries` it stays down until something requests a connection. */
export type ConnectionState = "idle" | "connecting" | "connected" | "disconnected" | "max-retries";

/** The event that a closed connection waits for: a timer, the session check, user activity, or nothing. */
export type Pause = "retry" | "session" | "activity" | "nothing";

/** Everything the connection machine remembers. */
export interface ConnectionModel {
  readonly state: ConnectionState;
  /** True while a user is signed in and the server allows sockets. */
  readonly isEnabled: boolean;
  readonly pause: Pause;
  /**
   * The number of reconnection attempts since the server last accepted the authentication. An open socket alone does not
   * end the count: a server or proxy may accept sockets and drop them at once.
   */
  readonly attempts: number;
  /** False after the server has asked not to reconnect. */
  readonly mayReconnect: boolean;
}

export type ConnectionTimer =
  | "connect"
  | "heartbeat"
  | "reply"
  | "inactivity"
  | "retry"
  | "session"
  | "flush"
  | "stable";

/** The result of a session check; `unknown` when the check failed. */
export type SessionVerdict = "good" | "ended" | "unknown";

export type ConnectionEvent =
  /** The user signed in or out, or sockets became allowed or forbidden. */
  | { readonly kind: "enabled"; readonly isEnabled: boolean }
  | { readonly kind: "opened" }
  | { readonly kind: "received"; readonly message: ServerMessage }
  | { readonly kind: "closed"; readonly code: number; readonly reason: string }
  /** No token exists, or the token does not fit into an address. */
  | { readonly kind: "no-token" }
  | { readonly kind: "due"; readonly timer: ConnectionTimer }
  | { readonly kind: "session"; readonly verdict: SessionVerdict }
  /** The device woke up, or its network came back. */
  | { readonly kind: "resumed" }
  /** The device reports no network; a server on the same device may still be reachable. */
  | { readonly kind: "no-network" }
  /** The user requests a connection. */
  | { readonly kind: "reconnect" }
  /** The user did something, or the app sent a message. */
  | { readonly kind: "active" }
  /** A message of high priority waits in the queue. */
  | { readonly kind: "urgent" };

export type ConnectionEffect =
  | { readonly kind: "open" }
  | { readonly kind: "close"; readonly code: number; readonly reason: string }
  | { readonly kind: "send"; readonly type: "auth" | "heartbeat" | "heartbeat_ack" }
  /** Starts a timer; a running timer of that name starts again. */
  | { readonly kind: "start"; readonly timer: ConnectionTimer; readonly afterMs: number }
  /** Starts the timer with the reconnect delay for this number of earlier attempts (RT5). */
  | { readonly kind: "back-off"; readonly timer: "retry" | "session"; readonly attempt: number }
  | { readonly kind: "stop"; readonly timer: ConnectionTimer | "all" }
  /** Starts to send the queued messages. */
  | { readonly kind: "flush" }
  /** Stops sending and fails all pending requests. */
  | { readonly kind: "stop-sending"; readonly error: string }
  /** Deletes the queued messages: they belong to a user who has signed out. */
  | { readonly kind: "clear-queue" }
  | { readonly kind: "check-session" }
  | { readonly kind: "record"; readonly event: HistoryEvent }
  | { readonly kind: "report"; readonly code: number };

export interface Transition {
  readonly model: ConnectionModel;
  readonly effects: readonly ConnectionEffect[];
}

export const idleConnection: ConnectionModel = {
  state: "idle",
  isEnabled: false,
  pause: "nothing",
  attempts: 0,
  mayReconnect: true,
};
