import * as E from "fp-ts/lib/Either.js";
import { Subscription } from "rxjs";
import type { Connection, Socket, SocketEvent } from "../ports/socket.ts";
import type { ConnectionEvent } from "./connection.ts";
import { ServerMessage } from "./messages.ts";

/** The one socket there is, if any. */
export interface Line {
  readonly open: (address: string) => void;
  /** Ends it; nothing is heard of it any more. */
  readonly close: (code: number, reason: string) => void;
  /** False when there is no open socket. */
  readonly transmit: (text: string) => boolean;
}

const decoded = (text: string): ServerMessage | null => {
  const json = E.tryCatch(
    (): unknown => JSON.parse(text),
    () => undefined,
  );
  const message = E.chainW(ServerMessage.decode)(json);
  return E.isRight(message) ? message.right : null;
};

/** Tells what happens to the socket, with its messages decoded; what cannot be read is passed over. */
export const makeLine = (socket: Socket, happened: (event: ConnectionEvent) => void): Line => {
  let connection: Connection | null = null;
  let listening = Subscription.EMPTY;
  const heard = (event: SocketEvent): void => {
    const message = event.kind === "message" ? decoded(event.text) : null;
    if (message !== null) happened({ kind: "received", message });
    if (event.kind !== "message") happened(event);
  };
  return {
    open: (address) => {
      connection = socket.open(address);
      listening = connection.events$.subscribe(heard);
    },
    close: (code, reason) => {
      listening.unsubscribe();
      connection?.close(code, reason);
      connection = null;
    },
    transmit: (text) => connection?.send(text) ?? false,
  };
};
