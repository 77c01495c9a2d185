import { makeState, type WritableState } from "../../../core/kernel/state.ts";
import type { SessionVerdict } from "../../../core/realtime/connection.ts";
import { type Link, makeLink } from "../../../core/realtime/link.ts";
import { type FakeReporter, makeFakeReporter } from "../../fakes/fakeReporter.ts";
import { type FakeConnection, type FakeSocket, makeFakeSocket } from "../../fakes/fakeSocket.ts";
import { makeSeededRandom } from "../../fakes/seededRandom.ts";
import { makeVirtualClock, settled, type VirtualClock } from "../../fakes/virtualClock.ts";

export interface OpenLink {
  readonly link: Link;
  readonly sockets: FakeSocket;
  readonly clock: VirtualClock;
  readonly reporter: FakeReporter;
  readonly wanted$: WritableState<boolean>;
  readonly online$: WritableState<boolean>;
  readonly token$: WritableState<string | null>;
  /** How the session answers from now on; each question is counted. */
  readonly session: { verdict: SessionVerdict; asked: number };
  /** Puts the clock forward as sleep does: no timer knows. */
  readonly sleep: (ms: number) => void;
  /** Lets the latest connection open, and half a second pass. */
  readonly accept: () => Promise<FakeConnection>;
  readonly stop: () => void;
}

export const aToken = "head.body.tail";

/** The types of what was sent, batches opened. */
export const typesSent = ({ sent }: FakeConnection): readonly unknown[] =>
  messagesSent(sent).map(({ type }) => type);

/** What was sent, batches opened. */
export const messagesSent = (sent: readonly Record<string, unknown>[]): readonly Record<string, unknown>[] =>
  sent.flatMap((message) =>
    message["type"] === "batch"
      ? (message["data"] as { messages: Record<string, unknown>[] }).messages
      : [message],
  );

/** A link over a socket played by hand, wanted from the start. */
export const openLink = (seed = 1): OpenLink => {
  const virtual = makeVirtualClock();
  let slept = 0;
  const clock: VirtualClock = { ...virtual, now: () => virtual.now() + slept };
  const sockets = makeFakeSocket(virtual.now);
  const reporter = makeFakeReporter();
  const wanted$ = makeState(true);
  const online$ = makeState(true);
  const token$ = makeState<string | null>(aToken);
  const session = { verdict: "good" as SessionVerdict, asked: 0 };
  const link = makeLink({
    socket: sockets.socket,
    clock,
    random: makeSeededRandom(seed),
    reporter,
    baseAddress: "",
    token: () => token$.value,
    wanted$,
    online$,
    askSession: async () => {
      session.asked += 1;
      return session.verdict;
    },
  });
  const running = link.start();
  return {
    link,
    sockets,
    clock,
    reporter,
    wanted$,
    online$,
    token$,
    session,
    sleep: (ms) => {
      slept += ms;
    },
    accept: async () => {
      sockets.latest().accept();
      await clock.advance(500);
      await settled();
      return sockets.latest();
    },
    stop: () => running.unsubscribe(),
  };
};

/** The kinds of what the history holds, the oldest first. */
export const historyKinds = ({ history$ }: Link): readonly string[] => history$.value.map(({ kind }) => kind);
