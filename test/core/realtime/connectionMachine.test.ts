import { expect } from "chai";
import fc from "fast-check";
import {
  type ConnectionEffect,
  type ConnectionEvent,
  type ConnectionModel,
  type ConnectionTimer,
  idleConnection,
} from "../../../core/realtime/connection.ts";
import { step } from "../../../core/realtime/connectionMachine.ts";
import type { ServerMessage } from "../../../core/realtime/messages.ts";

const idle = idleConnection;
const connecting: ConnectionModel = { ...idleConnection, isEnabled: true, state: "connecting" };
const connected: ConnectionModel = { ...connecting, state: "connected" };
const retrying: ConnectionModel = { ...connecting, state: "disconnected", pause: "retry", attempts: 1 };
const asking: ConnectionModel = { ...retrying, pause: "session", attempts: 0 };
const resting: ConnectionModel = { ...retrying, pause: "activity", attempts: 0 };
const ended: ConnectionModel = { ...retrying, pause: "nothing", attempts: 0 };
const exhausted: ConnectionModel = { ...connecting, state: "max-retries", attempts: 5 };

const receivedMessage = (message: ServerMessage): ConnectionEvent => ({ kind: "received", message });
const due = (timer: ConnectionTimer): ConnectionEvent => ({ kind: "due", timer });
const closed = (code: number, reason = ""): ConnectionEvent => ({ kind: "closed", code, reason });
const enable = (isEnabled: boolean): ConnectionEvent => ({ kind: "enabled", isEnabled });
const verdict = (word: "good" | "ended" | "unknown"): ConnectionEvent => ({ kind: "session", verdict: word });

/** A short text for an effect, which keeps the table readable. */
const inWords = (effect: ConnectionEffect): string => {
  switch (effect.kind) {
    case "close":
      return `close ${effect.code} ${effect.reason}`;
    case "send":
      return `send ${effect.type}`;
    case "start":
      return `${effect.timer} in ${effect.afterMs}`;
    case "back-off":
      return `${effect.timer} after wait ${effect.attempt}`;
    case "stop":
      return `stop ${effect.timer}`;
    case "stop-sending":
      return `stop-sending: ${effect.error}`;
    case "record":
      return `record ${effect.event.kind}`;
    case "report":
      return `report ${effect.code}`;
    default:
      return effect.kind;
  }
};

const opens = ["stop all", "record connecting", "connect in 15000", "open"];
const hangsUp = (reason: string, code = 1000): string[] => [
  "stop all",
  `close ${code} ${reason}`,
  "stop-sending: WebSocket connection closed",
];

interface Row {
  readonly when: string;
  readonly from: ConnectionModel;
  readonly event: ConnectionEvent;
  readonly to: Partial<ConnectionModel>;
  readonly does: readonly string[];
}

const rows: readonly Row[] = [
  {
    when: "a user signs in: it connects, for at most 15 s",
    from: idle,
    event: enable(true),
    to: { state: "connecting", isEnabled: true },
    does: opens,
  },
  { when: "it is wanted already: nothing", from: connected, event: enable(true), to: connected, does: [] },
  {
    when: "it was and is not wanted: nothing",
    from: idle,
    event: enable(false),
    to: idle,
    does: [],
  },
  ...[connecting, connected, retrying, asking, resting, ended, exhausted].map((from) => ({
    when: `the user logs out while it is ${from.state} (${from.pause}): it closes on purpose and is reset`,
    from,
    event: enable(false),
    to: idle,
    does: ["stop all", "close 1000 signed out", "stop-sending: WebSocket service reset", "clear-queue"],
  })),
  {
    when: "it opens: it authenticates, heartbeats begin, queued messages are sent in 500 ms, and the retry count stays",
    from: { ...connecting, attempts: 4 },
    event: { kind: "opened" },
    to: { state: "connected", attempts: 4 },
    does: [
      "stop connect",
      "record opened",
      "send auth",
      "heartbeat in 30000",
      "inactivity in 600000",
      "flush in 500",
    ],
  },
  ...[idle, connected, retrying].map((from) => ({
    when: `an outdated connection opens while it is ${from.state}: nothing`,
    from,
    event: { kind: "opened" } as const,
    to: from,
    does: [],
  })),
  {
    when: "there is no token: it retries after 3 s, and no attempt is counted",
    from: connecting,
    event: { kind: "no-token" },
    to: { state: "disconnected", pause: "retry", attempts: 0 },
    does: ["record no-token", "stop all", "retry in 3000"],
  },
  {
    when: "it has not opened within 15 s: it retries, and an attempt is counted",
    from: { ...connecting, attempts: 2 },
    event: due("connect"),
    to: { state: "disconnected", pause: "retry", attempts: 3 },
    does: ["record timed-out", ...hangsUp("not opened in time", 4000), "retry after wait 2"],
  },
  {
    when: "a heartbeat is due: it is sent, and an answer is expected within 10 s",
    from: connected,
    event: due("heartbeat"),
    to: connected,
    does: ["send heartbeat", "reply in 10000", "heartbeat in 30000"],
  },
  {
    when: "a heartbeat is answered: it stays connected",
    from: connected,
    event: receivedMessage({ type: "heartbeat_ack" }),
    to: connected,
    does: ["stop reply"],
  },
  {
    when: "a heartbeat is answered with pong: it stays connected",
    from: connected,
    event: receivedMessage({ type: "pong" }),
    to: connected,
    does: ["stop reply"],
  },
  {
    when: "a heartbeat of the server arrives: it is answered",
    from: connected,
    event: receivedMessage({ type: "heartbeat" }),
    to: connected,
    does: ["send heartbeat_ack"],
  },
  {
    when: "a heartbeat is not answered within 10 s: it disconnects and reconnects, and that is reported",
    from: connected,
    event: due("reply"),
    to: { state: "disconnected", pause: "retry", attempts: 1 },
    does: ["record no-reply", ...hangsUp("no heartbeat reply", 4000), "report 4000", "retry after wait 0"],
  },
  {
    when: "10 minutes pass without activity: it disconnects on purpose and waits for the user",
    from: connected,
    event: due("inactivity"),
    to: { state: "disconnected", pause: "activity" },
    does: ["record inactive", ...hangsUp("inactive")],
  },
  {
    when: "the user is active while it is connected: another 10 minutes",
    from: connected,
    event: { kind: "active" },
    to: connected,
    does: ["inactivity in 600000"],
  },
  {
    when: "a message arrives: another 10 minutes",
    from: connected,
    event: receivedMessage({ type: "data_update", data: { resource: "masks", action: "created" } }),
    to: connected,
    does: ["inactivity in 600000"],
  },
  {
    when: "the user is active after a close for inactivity: it connects",
    from: resting,
    event: { kind: "active" },
    to: { state: "connecting", attempts: 0 },
    does: opens,
  },
  ...[retrying, asking, ended, exhausted, idle].map((from) => ({
    when: `the user is active while it is ${from.state} (${from.pause}): nothing`,
    from,
    event: { kind: "active" } as const,
    to: from,
    does: [],
  })),
  {
    when: "500 ms have passed since it opened: queued messages are sent",
    from: connected,
    event: due("flush"),
    to: connected,
    does: ["flush"],
  },
  ...[1001, 1005, 1006, 1009, 1011, 1012, 3000].map((code) => ({
    when: `an open connection closes with ${code}: it reconnects, and that is reported`,
    from: connected,
    event: closed(code),
    to: { state: "disconnected", pause: "retry", attempts: 1 } as const,
    does: ["record closed", ...hangsUp("closed"), `report ${code}`, "retry after wait 0"],
  })),
  {
    when: "it closes normally: no reconnect, and nothing to report",
    from: connected,
    event: closed(1000),
    to: { state: "disconnected", pause: "nothing" },
    does: ["record closed", ...hangsUp("closed")],
  },
  {
    when: "the server is full (1013): it retries after the longest delay",
    from: connected,
    event: closed(1013),
    to: { state: "disconnected", pause: "retry", attempts: 1 },
    does: ["record closed", ...hangsUp("closed"), "report 1013", "retry in 30000"],
  },
  {
    when: "it closes for a policy (1008): the session is checked first",
    from: connected,
    event: closed(1008),
    to: { state: "disconnected", pause: "session", attempts: 0 },
    does: ["record closed", ...hangsUp("closed"), "report 1008", "check-session"],
  },
  {
    when: "it could not be opened: it retries, and the session is checked too, since the token may be the cause",
    from: { ...connecting, attempts: 3 },
    event: closed(1006),
    to: { state: "disconnected", pause: "retry", attempts: 4 },
    does: ["record closed", ...hangsUp("closed"), "check-session", "retry after wait 3"],
  },
  {
    when: "the fifth attempt has failed: no more, until the user reconnects",
    from: { ...connecting, attempts: 5 },
    event: closed(1006),
    to: { state: "max-retries", attempts: 5 },
    does: ["record closed", ...hangsUp("closed"), "check-session", "record gave-up"],
  },
  {
    when: "the fifth attempt opens and drops before the server accepts the authentication: no more either",
    from: { ...connected, attempts: 5 },
    event: closed(1006),
    to: { state: "max-retries", attempts: 5 },
    does: ["record closed", ...hangsUp("closed"), "report 1006", "record gave-up"],
  },
  {
    when: "the fifth attempt has not opened in time: no more either",
    from: { ...connecting, attempts: 5 },
    event: due("connect"),
    to: { state: "max-retries" },
    does: ["record timed-out", ...hangsUp("not opened in time", 4000), "record gave-up"],
  },
  ...[idle, retrying, exhausted].map((from) => ({
    when: `an outdated connection closes while it is ${from.state}: nothing`,
    from,
    event: closed(1006),
    to: from,
    does: [],
  })),
  {
    when: "an attempt is due: it connects",
    from: retrying,
    event: due("retry"),
    to: { state: "connecting", attempts: 1 },
    does: opens,
  },
  ...[idle, connected, asking, resting, ended, exhausted].map((from) => ({
    when: `an attempt is due while it is ${from.state} (${from.pause}): nothing`,
    from,
    event: due("retry"),
    to: from,
    does: [],
  })),
  {
    when: "the server accepts the authentication: it waits 30 s before earlier attempts no longer count",
    from: { ...connected, attempts: 2 },
    event: receivedMessage({ type: "auth_response", data: { success: true } }),
    to: { state: "connected", attempts: 2 },
    does: ["stable in 30000"],
  },
  {
    when: "an accepted connection has lived for 30 s: the retry count is 0",
    from: { ...connected, attempts: 2 },
    event: due("stable"),
    to: { state: "connected", attempts: 0 },
    does: [],
  },
  {
    when: "the server refuses the authentication: it disconnects and checks the session",
    from: connected,
    event: receivedMessage({ type: "auth_response", data: { success: false, error: "no" } }),
    to: { state: "disconnected", pause: "session" },
    does: ["record refused", ...hangsUp("authentication failed"), "check-session"],
  },
  {
    when: "the session is valid: it retries",
    from: asking,
    event: verdict("good"),
    to: { state: "disconnected", pause: "retry", attempts: 1 },
    does: ["retry after wait 0"],
  },
  {
    when: "the session is valid and still refused for the third time: later each time",
    from: { ...asking, attempts: 2 },
    event: verdict("good"),
    to: { pause: "retry", attempts: 3 },
    does: ["retry after wait 2"],
  },
  {
    when: "the session is valid and still refused for the sixth time: no more",
    from: { ...asking, attempts: 5 },
    event: verdict("good"),
    to: { state: "max-retries" },
    does: ["record gave-up"],
  },
  {
    when: "the session has ended: no reconnect",
    from: asking,
    event: verdict("ended"),
    to: { state: "disconnected", pause: "nothing" },
    does: [],
  },
  {
    when: "the session cannot be checked: it is checked again later",
    from: asking,
    event: verdict("unknown"),
    to: { state: "disconnected", pause: "session", attempts: 1 },
    does: ["session after wait 0"],
  },
  {
    when: "the session could not be checked five times: no more",
    from: { ...asking, attempts: 5 },
    event: verdict("unknown"),
    to: { state: "max-retries" },
    does: ["record gave-up"],
  },
  {
    when: "another session check is due: the session is checked",
    from: asking,
    event: due("session"),
    to: asking,
    does: ["check-session"],
  },
  ...[connecting, connected, retrying, resting, exhausted, idle].flatMap((from) =>
    (["good", "ended", "unknown"] as const).map((word) => ({
      when: `an outdated session check returns ${word} while it is ${from.state} (${from.pause}): nothing`,
      from,
      event: verdict(word),
      to: from,
      does: [],
    })),
  ),
  {
    when: "the server requests a reconnect without a time: in 5 s",
    from: connected,
    event: receivedMessage({ type: "connection_error", data: { reconnect: true } }),
    to: { state: "disconnected", pause: "retry", attempts: 0 },
    does: ["record server-error", ...hangsUp("as the server asked"), "retry in 5000"],
  },
  {
    when: "the server requests a reconnect in 750 ms: in 750 ms",
    from: connected,
    event: receivedMessage({ type: "connection_error", data: { reconnect: true, reconnectDelay: 750 } }),
    to: { state: "disconnected", pause: "retry" },
    does: ["record server-error", ...hangsUp("as the server asked"), "retry in 750"],
  },
  {
    when: "the server requests a reconnect in a year: in ten minutes",
    from: connected,
    event: receivedMessage({
      type: "connection_error",
      data: { reconnect: true, reconnectDelay: 31_536_000_000 },
    }),
    to: { state: "disconnected", pause: "retry" },
    does: ["record server-error", ...hangsUp("as the server asked"), "retry in 600000"],
  },
  {
    when: "the server forbids reconnecting: it stays as long as it is open",
    from: connected,
    event: receivedMessage({ type: "connection_error", data: { reconnect: false, error: "closing down" } }),
    to: { state: "connected", mayReconnect: false },
    does: ["record server-error"],
  },
  {
    when: "it closes after the server forbade reconnecting: no reconnect",
    from: { ...connected, mayReconnect: false },
    event: closed(1006),
    to: { state: "disconnected", pause: "nothing" },
    does: ["record closed", ...hangsUp("closed"), "report 1006"],
  },
  {
    when: "the server only reports an error: it is recorded",
    from: connected,
    event: receivedMessage({ type: "connection_error", data: { error: "slow today" } }),
    to: connected,
    does: ["record server-error"],
  },
  ...[connecting, connected, retrying, exhausted].map((from) => ({
    when: `the device wakes up while it is ${from.state}: it connects at once, the retry count is reset`,
    from: { ...from, attempts: 3 },
    event: { kind: "resumed" } as const,
    to: { state: "connecting", attempts: 0 } as const,
    does: ["record resumed", ...hangsUp("resumed"), ...opens],
  })),
  ...[idle, resting, ended].map((from) => ({
    when: `the device wakes up while it is ${from.state} (${from.pause}): nothing`,
    from,
    event: { kind: "resumed" } as const,
    to: from,
    does: [],
  })),
  {
    when: "the device wakes up after the server forbade reconnecting: nothing",
    from: { ...connected, mayReconnect: false },
    event: { kind: "resumed" },
    to: { state: "connected" },
    does: [],
  },
  {
    when: "the device wakes up during a session check: the session is checked again",
    from: asking,
    event: { kind: "resumed" },
    to: asking,
    does: ["check-session"],
  },
  {
    when: "the device loses its network while it is connected: it sends a heartbeat at once",
    from: connected,
    event: { kind: "no-network" },
    to: { state: "connected" },
    does: ["send heartbeat", "reply in 10000", "heartbeat in 30000"],
  },
  ...[idle, connecting, retrying, exhausted].map((from) => ({
    when: `the device loses its network while it is ${from.state}: nothing`,
    from,
    event: { kind: "no-network" } as const,
    to: from,
    does: [],
  })),
  ...[retrying, asking, resting, ended, exhausted].map((from) => ({
    when: `the user reconnects while it is ${from.state} (${from.pause}): at once, and everything is reset`,
    from: { ...from, mayReconnect: false },
    event: { kind: "reconnect" } as const,
    to: { state: "connecting", attempts: 0, mayReconnect: true } as const,
    does: opens,
  })),
  ...[idle, connecting, connected].map((from) => ({
    when: `the user reconnects while it is ${from.state}: nothing`,
    from,
    event: { kind: "reconnect" } as const,
    to: from,
    does: [],
  })),
  ...[retrying, resting, ended, exhausted].map((from) => ({
    when: `an urgent message is queued while it is ${from.state} (${from.pause}): it connects, the retry count is kept`,
    from,
    event: { kind: "urgent" } as const,
    to: { state: "connecting", attempts: from.attempts } as const,
    does: opens,
  })),
  ...[idle, connecting, connected, asking].map((from) => ({
    when: `an urgent message is queued while it is ${from.state} (${from.pause}): nothing`,
    from,
    event: { kind: "urgent" } as const,
    to: from,
    does: [],
  })),
  ...(["heartbeat", "reply", "inactivity", "flush", "connect", "session"] as const).map((timer) => ({
    when: `a ${timer} timer of an earlier connection is due: nothing`,
    from: retrying,
    event: due(timer),
    to: retrying,
    does: [],
  })),
];

describe("The connection, step by step", () => {
  for (const { when, from, event, to, does } of rows)
    it(`when ${when}`, () => {
      const { model, effects } = step(from, event);
      expect(effects.map(inWords)).to.deep.equal(does);
      expect(model).to.include(to);
    });

  it("gives up after exactly 5 attempts, which wait 2, 3, 4.5, 6.75 and 10.125 s by their retry count", () => {
    let model = step(idle, enable(true)).model;
    const waits: number[] = [];
    for (let tries = 0; model.state !== "max-retries"; tries += 1) {
      expect(tries).to.be.below(10);
      const { model: down, effects } = step(model, closed(1006));
      for (const effect of effects) if (effect.kind === "back-off") waits.push(effect.attempt);
      model = step(down, due("retry")).model;
    }
    expect(waits).to.deep.equal([0, 1, 2, 3, 4]);
  });
});

describe("The connection, under random events", () => {
  const message: fc.Arbitrary<ServerMessage> = fc.oneof(
    fc.boolean().map((success) => ({ type: "auth_response" as const, data: { success } })),
    fc.record({
      type: fc.constant("connection_error" as const),
      data: fc.record({ reconnect: fc.boolean(), reconnectDelay: fc.integer() }, { requiredKeys: [] }),
    }),
    fc.constantFrom(
      { type: "heartbeat" as const },
      { type: "heartbeat_ack" as const },
      { type: "data_update" as const, data: { resource: "masks", action: "created" } },
    ),
  );
  const event: fc.Arbitrary<ConnectionEvent> = fc.oneof(
    fc.boolean().map(enable),
    fc.constantFrom(
      ...(["opened", "no-token", "resumed", "no-network", "reconnect", "active", "urgent"] as const).map(
        (kind) => ({
          kind,
        }),
      ),
    ),
    fc.constantFrom(1000, 1001, 1006, 1008, 1012, 1013, 4000).map((code) => closed(code)),
    fc
      .constantFrom<ConnectionTimer>(
        "connect",
        "heartbeat",
        "reply",
        "inactivity",
        "retry",
        "session",
        "flush",
        "stable",
      )
      .map(due),
    fc.constantFrom("good" as const, "ended" as const, "unknown" as const).map(verdict),
    message.map(receivedMessage),
  );
  const everyStep = (
    look: (from: ConnectionModel, event: ConnectionEvent, next: ReturnType<typeof step>) => void,
  ) =>
    fc.assert(
      fc.property(fc.array(event, { maxLength: 60 }), (events) => {
        let model = idleConnection;
        for (const happened of events) {
          const next = step(model, happened);
          look(model, happened, next);
          model = next.model;
        }
      }),
      { numRuns: 500 },
    );

  it("is idle exactly while it is not wanted, and never opens then", () => {
    everyStep((_, __, { model, effects }) => {
      expect(model.state === "idle").to.equal(!model.isEnabled);
      if (!model.isEnabled) expect(effects.map(({ kind }) => kind)).not.to.include("open");
    });
  });

  it("closes before it opens again, and opens at most once at a time", () => {
    let isOpen = false;
    everyStep((from, happened, { effects }) => {
      if (from === idleConnection || happened.kind === "no-token") isOpen = false;
      for (const effect of effects) {
        if (effect.kind === "close") isOpen = false;
        if (effect.kind !== "open") continue;
        expect(isOpen, "two sockets at once").to.equal(false);
        isOpen = true;
      }
    });
  });

  it("never waits for an attempt beyond the fifth", () => {
    everyStep((_, __, { model, effects }) => {
      expect(model.attempts).to.be.within(0, 5);
      for (const effect of effects) if (effect.kind === "back-off") expect(effect.attempt).to.be.within(0, 4);
    });
  });

  it("is never down without a timer, a pending session check, or a reason to wait for the user", () => {
    everyStep((from, _, { model, effects }) => {
      if (model.state !== "disconnected" || model.pause === "activity" || model.pause === "nothing") return;
      if (from.state === "disconnected" && from.pause === model.pause) return;
      const kinds = effects.map((effect) =>
        effect.kind === "start" || effect.kind === "back-off" ? effect.timer : effect.kind,
      );
      expect(kinds).to.include(model.pause === "retry" ? "retry" : "check-session");
    });
  });
});
