import { Subject } from "rxjs";
import type { Socket, SocketEvent } from "../../core/ports/socket.ts";

/** One connection, seen from the server. */
export interface FakeConnection {
  readonly address: string;
  /** The messages from the client, decoded. */
  readonly sent: readonly Record<string, unknown>[];
  /** The time of each message. */
  readonly sentAt: readonly number[];
  /** How the client closed it. */
  readonly closedBy: () => { readonly code: number; readonly reason: string } | null;
  readonly accept: () => void;
  /** Drops further messages without a close event, as a connection does that is about to close. */
  readonly freeze: () => void;
  readonly push: (message: unknown) => void;
  readonly drop: (code: number, reason?: string) => void;
}

export interface FakeSocket {
  readonly socket: Socket;
  readonly connections: readonly FakeConnection[];
  readonly latest: () => FakeConnection;
}

/** A socket server that the test controls. */
export const createFakeSocket = (now = (): number => 0): FakeSocket => {
  const connections: FakeConnection[] = [];
  return {
    connections,
    latest: () => {
      const latest = connections.at(-1);
      if (!latest) throw new Error("no client has connected yet");
      return latest;
    },
    socket: {
      open: (address) => {
        const events$ = new Subject<SocketEvent>();
        const sent: Record<string, unknown>[] = [];
        const sentAt: number[] = [];
        let state: "connecting" | "open" | "closed" = "connecting";
        let isFrozen = false;
        let closedBy: { code: number; reason: string } | null = null;
        const end = (code: number, reason: string): void => {
          if (state === "closed") return;
          state = "closed";
          events$.next({ kind: "closed", code, reason });
          events$.complete();
        };
        connections.push({
          address,
          sent,
          sentAt,
          freeze: () => {
            isFrozen = true;
          },
          closedBy: () => closedBy,
          accept: () => {
            state = "open";
            events$.next({ kind: "opened" });
          },
          push: (message) =>
            events$.next({
              kind: "message",
              text: typeof message === "string" ? message : JSON.stringify(message),
            }),
          drop: (code, reason = "") => end(code, reason),
        });
        return {
          events$,
          send: (text) => {
            if (state !== "open" || isFrozen) return false;
            sent.push(JSON.parse(text));
            sentAt.push(now());
            return true;
          },
          close: (code, reason) => {
            if (state === "closed") return;
            closedBy = { code, reason };
            queueMicrotask(() => end(code, reason));
          },
        };
      },
    },
  };
};
