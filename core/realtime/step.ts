import { normalClosure, policyViolation, silence, tryAgainLater } from "./closeCodes.ts";
import {
  type ConnectionEvent,
  type ConnectionModel,
  type ConnectionTimer,
  noConnection,
  type SessionVerdict,
  type Transition,
} from "./connection.ts";
import {
  flushAfterMs,
  fullServerRetryMs,
  heartbeatEachMs,
  inactiveAfterMs,
  maxAttempts,
  noTokenRetryMs,
  replyWithinMs,
} from "./connectionTimes.ts";
import { serviceReset } from "./linkErrors.ts";
import { received } from "./received.ts";
import {
  connect,
  connectAnew,
  down,
  type Effects,
  giveUp,
  go,
  hangUp,
  note,
  refused,
  start,
  tryAgain,
} from "./transitions.ts";

const isUp = ({ state }: ConnectionModel): boolean => state === "connecting" || state === "connected";
const isDown = ({ state }: ConnectionModel): boolean => state === "disconnected" || state === "max-retries";

const wanted = (model: ConnectionModel, want: boolean): Transition => {
  if (want === model.wanted) return go(model);
  if (want) return connectAnew({ ...model, wanted: true });
  return go(noConnection, ...hangUp("signed out", normalClosure, serviceReset), { kind: "forget" });
};

const opened = (model: ConnectionModel): Transition =>
  model.state !== "connecting"
    ? go(model)
    : go(
        { ...model, state: "connected", attempts: 0 },
        { kind: "stop", timer: "connect" },
        note({ kind: "opened" }),
        { kind: "say", type: "auth" },
        start("heartbeat", heartbeatEachMs),
        start("inactivity", inactiveAfterMs),
        start("flush", flushAfterMs),
      );

/** An end that nobody here has asked for; one of a connection that was open is told to the operator (RT11). */
const closed = (model: ConnectionModel, code: number, reason: string): Transition => {
  if (!isUp(model)) return go(model);
  const wasOpen = model.state === "connected";
  const ended: Effects = [
    note({ kind: "closed", code, reason }),
    ...hangUp("closed"),
    ...(wasOpen && code !== normalClosure ? [{ kind: "report", code } as const] : []),
  ];
  if (code === normalClosure || !model.mayReturn) return go(down(model, "nothing"), ...ended);
  if (code === policyViolation) return refused(model, ended);
  if (code === tryAgainLater) return tryAgain(model, ended, start("retry", fullServerRetryMs));
  // A handshake is refused without a reason that could be read here: it may have been the token.
  return tryAgain(model, wasOpen ? ended : [...ended, { kind: "ask-session" }]);
};

const due = (model: ConnectionModel, timer: ConnectionTimer): Transition => {
  const { state, pause } = model;
  if (timer === "retry" && state === "disconnected" && pause === "retry") return connect(model);
  if (timer === "session" && state === "disconnected" && pause === "session")
    return go(model, { kind: "ask-session" });
  if (timer === "connect" && state === "connecting")
    return tryAgain(model, [note({ kind: "timed-out" }), ...hangUp("not opened in time", silence)]);
  if (state !== "connected") return go(model);
  switch (timer) {
    case "heartbeat":
      return go(
        model,
        { kind: "say", type: "heartbeat" },
        start("reply", replyWithinMs),
        start("heartbeat", heartbeatEachMs),
      );
    case "reply":
      return tryAgain(model, [
        note({ kind: "no-reply" }),
        ...hangUp("no heartbeat reply", silence),
        { kind: "report", code: silence },
      ]);
    case "inactivity":
      return go(down(model, "activity"), note({ kind: "inactive" }), ...hangUp("inactive"));
    case "flush":
      return go(model, { kind: "flush" });
    default:
      return go(model);
  }
};

/** A good session may still be refused; when it is every time, something else is wrong. */
const judged = (model: ConnectionModel, verdict: SessionVerdict): Transition => {
  if (model.state !== "disconnected" || model.pause !== "session") return go(model);
  if (verdict === "ended") return go(down(model, "nothing"));
  if (verdict === "good")
    return tryAgain({ ...model, attempts: Math.max(model.attempts, model.refusals - 1) }, []);
  if (model.attempts >= maxAttempts) return giveUp(model);
  return go(
    { ...model, attempts: model.attempts + 1 },
    { kind: "back-off", timer: "session", attempt: model.attempts },
  );
};

const resumed = (model: ConnectionModel): Transition => {
  const { state, pause } = model;
  if (state === "disconnected" && pause === "session") return go(model, { kind: "ask-session" });
  const isMeantToBe = isUp(model) || state === "max-retries" || pause === "retry";
  if (!model.wanted || !model.mayReturn || !isMeantToBe) return go(model);
  return connectAnew(model, note({ kind: "resumed" }), ...hangUp("resumed"));
};

/** A connection may be dead without knowing: it is asked now, not at the next heartbeat. */
const withoutNetwork = (model: ConnectionModel): Transition =>
  model.state === "connected" ? due(model, "heartbeat") : go(model);

const active = (model: ConnectionModel): Transition => {
  if (model.state === "connected") return go(model, start("inactivity", inactiveAfterMs));
  return model.state === "disconnected" && model.pause === "activity" ? connectAnew(model) : go(model);
};

/** What an event makes of the connection, and what is to be done about it, in this order (RT4 to RT8). */
export const step = (model: ConnectionModel, event: ConnectionEvent): Transition => {
  switch (event.kind) {
    case "wanted":
      return wanted(model, event.wanted);
    case "opened":
      return opened(model);
    case "received":
      return received(model, event.message);
    case "closed":
      return closed(model, event.code, event.reason);
    case "no-token":
      return model.state === "connecting"
        ? go(
            down(model, "retry"),
            note({ kind: "no-token" }),
            { kind: "stop", timer: "all" },
            start("retry", noTokenRetryMs),
          )
        : go(model);
    case "due":
      return due(model, event.timer);
    case "session":
      return judged(model, event.verdict);
    case "resumed":
      return resumed(model);
    case "no-network":
      return withoutNetwork(model);
    case "reconnect":
      return isDown(model) ? connectAnew(model) : go(model);
    case "active":
      return active(model);
    case "urgent":
      return isDown(model) && model.mayReturn && model.pause !== "session" ? connect(model) : go(model);
  }
};
