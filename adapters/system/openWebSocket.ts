import { Observable, ReplaySubject } from "rxjs";
import type { Connection, SocketEvent } from "../../core/ports/socket.ts";

/** What a connection that could not even be begun ends with (RFC 6455, 7.4.1). */
const abnormalClosure = 1006;

const neverOpened = (reason: string): Connection => ({
  events$: new Observable((subscriber) => {
    subscriber.next({ kind: "closed", code: abnormalClosure, reason });
    subscriber.complete();
  }),
  send: () => false,
  close: () => {},
});

const connectionOver = (socket: WebSocket): Connection => {
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

/** A connection over the WebSocket that browsers and Node both have; one that `dial` cannot begin is closed at once. */
export const openWebSocket = (dial: () => WebSocket): Connection => {
  try {
    return connectionOver(dial());
  } catch (error) {
    return neverOpened(String(error));
  }
};
