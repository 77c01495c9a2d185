import { Observable, ReplaySubject } from "rxjs";
import type { Connection, SocketEvent } from "../../core/ports/socket.ts";

/** The close code of a connection that could not be opened (RFC 6455, 7.4.1). */
const abnormalClosure = 1006;

const failedConnection = (reason: string): Connection => ({
  events$: new Observable((subscriber) => {
    subscriber.next({ kind: "closed", code: abnormalClosure, reason });
    subscriber.complete();
  }),
  send: () => false,
  close: () => {},
});

const toConnection = (socket: WebSocket): Connection => {
  const events$ = new ReplaySubject<SocketEvent>();
  socket.addEventListener("open", () => events$.next({ kind: "opened" }));
  socket.addEventListener("message", ({ data }) => {
    if (typeof data === "string") events$.next({ kind: "message", text: data });
  });
  socket.addEventListener("close", ({ code, reason }) => {
    events$.next({ kind: "closed", code, reason });
    events$.complete();
  });
  return {
    events$,
    send: (text) => {
      if (socket.readyState !== WebSocket.OPEN) return false;
      socket.send(text);
      return true;
    },
    close: (code, reason) => socket.close(code, reason),
  };
};

/** Wraps the WebSocket that `dial` opens, in browsers and Node; an error in `dial` closes the connection. */
export const openWebSocket = (dial: () => WebSocket): Connection => {
  try {
    return toConnection(dial());
  } catch (error) {
    return failedConnection(String(error));
  }
};
