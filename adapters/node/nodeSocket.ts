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

/** Node's WebSocket takes headers where a browser's takes protocols only, and is typed like a browser's. */
const dial = (url: URL, headers: Readonly<Record<string, string>>): WebSocket =>
  new WebSocket(url, { headers } as unknown as string[]);

const over = (socket: WebSocket): Connection => {
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

/** Sockets over Node's WebSocket, to absolute addresses, with the cookies of the moment and the server's own origin. */
export const nodeSocket = (cookies: () => string): Socket => ({
  open: (address) => {
    try {
      const url = new URL(address);
      const origin = url.origin.replace(/^ws/, "http");
      url.protocol = url.protocol.replace(/^http/, "ws");
      const cookie = cookies();
      return over(dial(url, { origin, ...(cookie === "" ? {} : { cookie }) }));
    } catch (error) {
      return neverOpened(String(error));
    }
  },
});
