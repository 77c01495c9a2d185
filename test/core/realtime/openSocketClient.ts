import { createState, type WritableState } from "../../../core/kernel/state.ts";
import type { SessionVerdict } from "../../../core/realtime/connection.ts";
import { createSocketClient, type SocketClient } from "../../../core/realtime/socketClient.ts";
import { createFakeReporter, type FakeReporter } from "../../fakes/fakeReporter.ts";
import { createFakeSocket, type FakeConnection, type FakeSocket } from "../../fakes/fakeSocket.ts";
import { createSeededRandom } from "../../fakes/seededRandom.ts";
import { createVirtualClock, settled, type VirtualClock } from "../../fakes/virtualClock.ts";

export interface OpenSocketClient {
  readonly link: SocketClient;
  readonly sockets: FakeSocket;
  readonly clock: VirtualClock;
  readonly reporter: FakeReporter;
  readonly enabled$: WritableState<boolean>;
  readonly online$: WritableState<boolean>;
  readonly token$: WritableState<string | null>;
  /** The result of session checks from now on; each check is counted. */
  readonly session: { verdict: SessionVerdict; asked: number };
  /** Advances the clock as a device that sleeps does, without running timers. */
  readonly fallAsleep: (ms: number) => void;
  /** Opens the latest connection, accepts its authentication, and advances by half a second. */
  readonly accept: () => Promise<FakeConnection>;
  readonly stop: () => void;
}

export const aToken = "head.body.tail";

/** The types of the sent messages, with batches unpacked. */
export const typesSent = ({ sent }: FakeConnection): readonly unknown[] =>
  messagesSent(sent).map(({ type }) => type);

/** The sent messages, with batches unpacked. */
export const messagesSent = (sent: readonly Record<string, unknown>[]): readonly Record<string, unknown>[] =>
  sent.flatMap((message) =>
    message["type"] === "batch"
      ? (message["data"] as { messages: Record<string, unknown>[] }).messages
      : [message],
  );

/** A socket client over a fake socket, enabled from the start. */
export const openSocketClient = (seed = 1): OpenSocketClient => {
  const virtual = createVirtualClock();
  let slept = 0;
  const clock: VirtualClock = { ...virtual, now: () => virtual.now() + slept };
  const sockets = createFakeSocket(virtual.now);
  const reporter = createFakeReporter();
  const enabled$ = createState(true);
  const online$ = createState(true);
  const token$ = createState<string | null>(aToken);
  const session = { verdict: "good" as SessionVerdict, asked: 0 };
  const link = createSocketClient({
    socket: sockets.socket,
    clock,
    random: createSeededRandom(seed),
    reporter,
    baseAddress: "",
    clientId: "0123456789abcdef0123456789abcdef",
    token: () => token$.value,
    enabled$,
    online$,
    checkSession: async () => {
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
    enabled$,
    online$,
    token$,
    session,
    fallAsleep: (ms) => {
      slept += ms;
    },
    accept: async () => {
      sockets.latest().accept();
      sockets.latest().push({ type: "auth_response", data: { success: true } });
      await clock.advance(500);
      await settled();
      return sockets.latest();
    },
    stop: () => running.unsubscribe(),
  };
};

/** The kinds of the recorded events, the oldest first. */
export const historyKinds = ({ history$ }: SocketClient): readonly string[] =>
  history$.value.map(({ kind }) => kind);
