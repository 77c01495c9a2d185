import { type ClientOptions, WebSocket } from "ws";
import { refuseBystander } from "../../support/bystanderMarker.ts";
import type { Client } from "./client.ts";

export interface Message {
  readonly type: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

/** WebSocket connection of a page; records all messages and how the connection ended. */
export interface SocketClient {
  readonly socket: WebSocket;
  readonly messages: readonly Message[];
  readonly send: (type: string, data?: unknown) => void;
  /** Resolves with the first matching message, received already or later. */
  readonly waitFor: (fits: (message: Message) => boolean) => Promise<Message>;
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
}

/** Opens a socket; rejects with the HTTP status when the server refuses the upgrade. */
export const openSocket = (
  origin: string,
  user: Pick<Client, "token" | "cookies">,
  { clientId = "0123456789abcdef", ...options }: ClientOptions & { readonly clientId?: string } = {},
): Promise<SocketClient> =>
  new Promise((resolve, reject) => {
    const cookie = Array.from(user.cookies, ([name, value]) => `${name}=${value}`).join("; ");
    const address = `${origin.replace(/^http/, "ws")}/ws?token=${user.token}&t=1&client=web&sessionId=${clientId}`;
    const socket = new WebSocket(address, { ...options, headers: { cookie, ...options.headers } });
    const messages: Message[] = [];
    const waiting = new Set<() => void>();
    const closed = new Promise<{ code: number; reason: string }>((end) => {
      socket.on("close", (code, reason) => end({ code, reason: reason.toString() }));
    });
    const waitFor = (fits: (message: Message) => boolean): Promise<Message> =>
      new Promise((heard, never) => {
        const look = (): void => {
          const found = messages.find(fits);
          if (!found) return;
          waiting.delete(look);
          heard(found);
        };
        waiting.add(look);
        look();
        // A message that came first has resolved the promise already.
        void closed.then(({ code }) => never(new Error(`closed with ${code} before that was heard`)));
      });
    socket.on("message", (data) => {
      refuseBystander("a message of the socket", String(data));
      messages.push(JSON.parse(String(data)) as Message);
      for (const look of [...waiting]) look();
    });
    socket.on("unexpected-response", (request, response) => {
      reject(new Error(String(response.statusCode)));
      request.destroy();
    });
    socket.on("error", reject);
    const send = (type: string, data?: unknown): void => socket.send(JSON.stringify({ type, data }));
    socket.on("open", () => resolve({ socket, messages, send, waitFor, closed }));
  });

export const isType =
  (type: string) =>
  (message: Message): boolean =>
    message.type === type;

/** Resolves when the server has handled all earlier messages and has sent all earlier changes. */
export const settle = async (socket: SocketClient): Promise<void> => {
  const requestId = `settle ${performance.now()}`;
  socket.send("sync_request", { resource: "masks", requestId });
  await socket.waitFor(({ type, data }) => type === "sync_complete" && data?.["requestId"] === requestId);
};

/** Returns the data of all messages of a type received so far. */
export const receivedData = (socket: SocketClient, type: string) =>
  socket.messages.filter(isType(type)).map(({ data }) => data);
