import { normalClosure, policyViolation, silence, tryAgainLater } from "./closeCodes.ts";
import {
  type ConnectionEvent,
  type ConnectionModel,
  type ConnectionTimer,
  idleConnection,
  type SessionVerdict,
  type Transition,
} from "./connection.ts";
import {
  flushAfterMs,
  fullServerRetryMs,
  heartbeatEachMs,
  inactiveAfterMs,
  longestServerRetryMs,
  maxAttempts,
  noTokenRetryMs,
  replyWithinMs,
  serverRetryMs,
  stableAfterMs,
} from "./connectionTiming.ts";
import {
  closeSocket,
  connect,
  type Effects,
  giveUp,
  onUnauthorized,
  recordHistory,
  restart,
  retry,
  startTimer,
  toDisconnected,
  transition,
} from "./connectionTransitions.ts";
import type { ServerMessage } from "./messages.ts";
import { serviceReset } from "./socketErrors.ts";

type ErrorData = Extract<ServerMessage, { readonly type: "connection_error" }>["data"];

const onConnectionError = (
  model: ConnectionModel,
  { error = "", reconnect, reconnectDelay }: ErrorData,
): Transition => {
  const entry = recordHistory({ kind: "server-error", error });
  if (reconnect !== true)
    return transition({ ...model, mayReconnect: reconnect ?? model.mayReconnect }, entry);
  const afterMs = Math.min(Math.max(reconnectDelay ?? serverRetryMs, 0), longestServerRetryMs);
  return transition(
    toDisconnected(model, "retry"),
    entry,
    ...closeSocket("as the server asked"),
    startTimer("retry", afterMs),
  );
};

/** Applies a server message to the connection machine; other consumers handle the content. */
const onMessage = (model: ConnectionModel, message: ServerMessage): Transition => {
  if (model.state !== "connected") return transition(model);
  switch (message.type) {
    case "auth_response":
      if (message.data.success) return transition(model, startTimer("stable", stableAfterMs));
      return onUnauthorized(model, [
        recordHistory({ kind: "refused", error: message.data.error ?? "" }),
        ...closeSocket("authentication failed"),
      ]);
    case "connection_error":
      return onConnectionError(model, message.data);
    case "heartbeat":
      return transition(model, { kind: "send", type: "heartbeat_ack" });
    case "heartbeat_ack":
    case "pong":
      return transition(model, { kind: "stop", timer: "reply" });
    default:
      return transition(model, startTimer("inactivity", inactiveAfterMs));
  }
};

const isUp = ({ state }: ConnectionModel): boolean => state === "connecting" || state === "connected";
const isDown = ({ state }: ConnectionModel): boolean => state === "disconnected" || state === "max-retries";

const onEnabled = (model: ConnectionModel, isEnabled: boolean): Transition => {
  if (isEnabled === model.isEnabled) return transition(model);
  if (isEnabled) return restart({ ...model, isEnabled: true });
  return transition(idleConnection, ...closeSocket("signed out", normalClosure, serviceReset), {
    kind: "clear-queue",
  });
};

const onOpened = (model: ConnectionModel): Transition =>
  model.state !== "connecting"
    ? transition(model)
    : transition(
        { ...model, state: "connected" },
        { kind: "stop", timer: "connect" },
        recordHistory({ kind: "opened" }),
        { kind: "send", type: "auth" },
        startTimer("heartbeat", heartbeatEachMs),
        startTimer("inactivity", inactiveAfterMs),
        startTimer("flush", flushAfterMs),
      );

/** Handles a close that this side did not request; an open connection that breaks is reported (RT11). */
const onClosed = (model: ConnectionModel, code: number, reason: string): Transition => {
  if (!isUp(model)) return transition(model);
  const wasOpen = model.state === "connected";
  const ended: Effects = [
    recordHistory({ kind: "closed", code, reason }),
    ...closeSocket("closed"),
    ...(wasOpen && code !== normalClosure ? [{ kind: "report", code } as const] : []),
  ];
  if (code === normalClosure || !model.mayReconnect)
    return transition(toDisconnected(model, "nothing"), ...ended);
  if (code === policyViolation) return onUnauthorized(model, ended);
  if (code === tryAgainLater) return retry(model, ended, startTimer("retry", fullServerRetryMs));
  // The browser gives no reason for a failed handshake; the token may be the cause.
  return retry(model, wasOpen ? ended : [...ended, { kind: "check-session" }]);
};

const onTimer = (model: ConnectionModel, timer: ConnectionTimer): Transition => {
  const { state, pause } = model;
  if (timer === "retry" && state === "disconnected" && pause === "retry") return connect(model);
  if (timer === "session" && state === "disconnected" && pause === "session")
    return transition(model, { kind: "check-session" });
  if (timer === "connect" && state === "connecting")
    return retry(model, [
      recordHistory({ kind: "timed-out" }),
      ...closeSocket("not opened in time", silence),
    ]);
  if (state !== "connected") return transition(model);
  switch (timer) {
    case "heartbeat":
      return transition(
        model,
        { kind: "send", type: "heartbeat" },
        startTimer("reply", replyWithinMs),
        startTimer("heartbeat", heartbeatEachMs),
      );
    case "reply":
      return retry(model, [
        recordHistory({ kind: "no-reply" }),
        ...closeSocket("no heartbeat reply", silence),
        { kind: "report", code: silence },
      ]);
    case "inactivity":
      return transition(
        toDisconnected(model, "activity"),
        recordHistory({ kind: "inactive" }),
        ...closeSocket("inactive"),
      );
    case "flush":
      return transition(model, { kind: "flush" });
    case "stable":
      return transition({ ...model, attempts: 0 });
    default:
      return transition(model);
  }
};

/** A valid session may still be rejected; repeated rejections count as failed attempts. */
const onVerdict = (model: ConnectionModel, verdict: SessionVerdict): Transition => {
  if (model.state !== "disconnected" || model.pause !== "session") return transition(model);
  if (verdict === "ended") return transition(toDisconnected(model, "nothing"));
  if (verdict === "good") return retry(model, []);
  if (model.attempts >= maxAttempts) return giveUp(model);
  return transition(
    { ...model, attempts: model.attempts + 1 },
    { kind: "back-off", timer: "session", attempt: model.attempts },
  );
};

const onResumed = (model: ConnectionModel): Transition => {
  const { state, pause } = model;
  if (state === "disconnected" && pause === "session") return transition(model, { kind: "check-session" });
  const shouldReconnect = isUp(model) || state === "max-retries" || pause === "retry";
  if (!model.isEnabled || !model.mayReconnect || !shouldReconnect) return transition(model);
  return restart(model, recordHistory({ kind: "resumed" }), ...closeSocket("resumed"));
};

/** Sends a heartbeat immediately: the connection may be lost without a close event. */
const onNetworkLost = (model: ConnectionModel): Transition =>
  model.state === "connected" ? onTimer(model, "heartbeat") : transition(model);

const onActive = (model: ConnectionModel): Transition => {
  if (model.state === "connected") return transition(model, startTimer("inactivity", inactiveAfterMs));
  return model.state === "disconnected" && model.pause === "activity" ? restart(model) : transition(model);
};

/** Returns the next state and the effects to run, in order, for an event (RT4 to RT8). */
export const step = (model: ConnectionModel, event: ConnectionEvent): Transition => {
  switch (event.kind) {
    case "enabled":
      return onEnabled(model, event.isEnabled);
    case "opened":
      return onOpened(model);
    case "received":
      return onMessage(model, event.message);
    case "closed":
      return onClosed(model, event.code, event.reason);
    case "no-token":
      return model.state === "connecting"
        ? transition(
            toDisconnected(model, "retry"),
            recordHistory({ kind: "no-token" }),
            { kind: "stop", timer: "all" },
            startTimer("retry", noTokenRetryMs),
          )
        : transition(model);
    case "due":
      return onTimer(model, event.timer);
    case "session":
      return onVerdict(model, event.verdict);
    case "resumed":
      return onResumed(model);
    case "no-network":
      return onNetworkLost(model);
    case "reconnect":
      return isDown(model) ? restart(model) : transition(model);
    case "active":
      return onActive(model);
    case "urgent":
      return isDown(model) && model.mayReconnect && model.pause !== "session"
        ? connect(model)
        : transition(model);
  }
};
