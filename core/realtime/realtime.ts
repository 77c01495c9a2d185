import * as E from "fp-ts/lib/Either.js";
import { type Observable, Subject, Subscription } from "rxjs";
import { makeState, mapState, type State } from "../kernel/state.ts";
import type { Clock } from "../ports/clock.ts";
import { type Random, randomHex } from "../ports/random.ts";
import type { Connection, Socket, SocketEvent } from "../ports/socket.ts";
import { makeSocketSessionId, socketAddress } from "./address.ts";
import {
  type ConnectionEffect,
  type ConnectionEvent,
  type ConnectionState,
  noConnection,
  step,
} from "./connection.ts";
import { type DataUpdate, type Envelope, ServerMessage } from "./messages.ts";
import { reconnectDelay } from "./reconnectDelay.ts";

/** The line on which the server tells what has changed. */
export interface Realtime {
  readonly state$: State<ConnectionState>;
}

interface Dependencies {
  readonly socket: Socket;
  readonly clock: Clock;
  readonly random: Random;
  readonly baseAddress: string;
  readonly token: () => string | null;
  /** Whether there should be a connection now. */
  readonly wanted$: Observable<boolean>;
}

interface RunningRealtime extends Realtime {
  readonly updates$: Observable<DataUpdate>;
  readonly start: () => Subscription;
}

/** What a token that builds no address is treated as: closed before it was open (RFC 6455, 7.4.1). */
const abnormalClosure = 1006;

const decodeMessage = (text: string): ServerMessage | null => {
  const json = E.tryCatch(
    (): unknown => JSON.parse(text),
    () => undefined,
  );
  const message = E.chainW(ServerMessage.decode)(json);
  return E.isRight(message) ? message.right : null;
};

export const makeRealtime = (needs: Dependencies): RunningRealtime => {
  const { clock, random } = needs;
  const model$ = makeState(noConnection);
  const updates$ = new Subject<DataUpdate>();
  let sessionId = "";
  let connection: Connection | null = null;
  let listening = new Subscription();
  let retry = new Subscription();

  const happened = (event: ConnectionEvent): void => {
    const { model, effects } = step(model$.value, event);
    model$.set(model);
    effects.forEach(perform);
  };
  const heard = (event: SocketEvent): void => {
    const message = event.kind === "message" ? decodeMessage(event.text) : null;
    if (message !== null) happened({ kind: "received", message });
    if (event.kind !== "message") happened(event);
  };
  const open = (): void => {
    const token = needs.token();
    const address = token === null ? null : socketAddress(needs.baseAddress, token, clock.now(), sessionId);
    if (address === null) happened({ kind: "closed", code: abnormalClosure });
    else {
      connection = needs.socket.open(address);
      listening = connection.events$.subscribe(heard);
    }
  };
  const close = (reason: string): void => {
    listening.unsubscribe();
    retry.unsubscribe();
    connection?.close(1000, reason);
    connection = null;
  };
  const send = (type: string, data: unknown): void => {
    const envelope: Envelope = {
      type,
      data,
      id: randomHex(random, 8),
      timestamp: clock.now(),
      sessionId,
    };
    connection?.send(JSON.stringify(envelope));
  };
  const authenticate = (): void => {
    const capabilities = { binary: false, compression: false, encryption: false };
    send("auth", { token: needs.token() ?? "", sessionId, capabilities });
  };
  const retryLater = (attempt: number): void => {
    const delayMs = reconnectDelay(attempt, random.fraction());
    retry = clock.scheduler.schedule(() => happened({ kind: "retry-due" }), delayMs);
  };
  const perform = (effect: ConnectionEffect): void => {
    if (effect.kind === "open") open();
    if (effect.kind === "close") close(effect.reason);
    if (effect.kind === "authenticate") authenticate();
    if (effect.kind === "retry-later") retryLater(effect.attempt);
    if (effect.kind === "announce") updates$.next(effect.update);
  };
  return {
    state$: mapState(model$, ({ state }) => state),
    updates$,
    start: () => {
      sessionId = makeSocketSessionId(random);
      const running = needs.wanted$.subscribe((wanted) => happened({ kind: "wanted", wanted }));
      running.add(() => happened({ kind: "wanted", wanted: false }));
      return running;
    },
  };
};
