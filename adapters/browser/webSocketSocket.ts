import { Observable, ReplaySubject } from "rxjs";
import type { Connection, Socket, SocketEvent } from "../../core/ports/socket.ts";

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

/** Sockets over the browser's WebSocket; a root-relative address is taken from where the page came from. */
export const makeWebSocketSocket = (pageAddress: () => string): Socket => ({
  open: (address) => {
    try {
      const url = new URL(address, pageAddress());
      url.protocol = url.protocol.replace("http", "ws");
      return connectionOver(new WebSocket(url));
    } catch (error) {
      return neverOpened(String(error));
    }
  },
});
