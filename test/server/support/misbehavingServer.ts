import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { TLSSocket } from "node:tls";

/** Server side of one connection. */
export interface Visit {
  /** Returns the next line of the client without its line end; null when the client has disconnected. */
  readonly line: () => Promise<string | null>;
  /** Reads lines up to and including one that starts with `start`. */
  readonly until: (start: string) => Promise<readonly string[]>;
  /** Resolves when the client has sent anything that was not read yet, or has disconnected. */
  readonly heard: () => Promise<void>;
  /** Whether the client has sent anything that was not read yet. */
  readonly hasMore: () => boolean;
  readonly say: (text: string) => void;
  /** Reads the content of a mail to its final dot. */
  readonly content: () => Promise<string>;
  /** Greets and answers EHLO with these extensions. */
  readonly hello: (...extensions: readonly string[]) => Promise<void>;
  /** Accepts mails correctly until the client disconnects; returns how many. */
  readonly serve: () => Promise<number>;
  readonly secure: (certificate: { readonly cert: string; readonly key: string }) => void;
  readonly hang: () => Promise<void>;
  /** Sends this again and again, slowly, until the client disconnects. */
  readonly trickle: (text: string) => Promise<void>;
  readonly close: () => void;
}

/** Handles one connection; `index` counts the connections from 0. */
export type Behavior = (visit: Visit, index: number) => Promise<unknown>;

export interface MisbehavingServer {
  readonly port: number;
  /** All lines received from clients. */
  readonly heard: string[];
  readonly connections: () => number;
  /** The number of connections that are open. */
  readonly open: () => number;
  readonly close: () => Promise<void>;
}

const createVisit = (first: Socket, heard: string[]): Visit => {
  let socket = first;
  let input = "";
  let isOver = false;
  let wake = (): void => {};
  const listenTo = (one: Socket): void => {
    one.setNoDelay(true);
    one.on("data", (bytes: Buffer) => {
      input += bytes.toString("latin1");
      wake();
    });
    one.on("error", () => {});
    one.on("close", () => {
      isOver = true;
      wake();
    });
  };
  listenTo(socket);
  const more = (): Promise<void> =>
    new Promise((resolve) => {
      wake = resolve;
    });
  const takeTo = async (end: string): Promise<string | null> => {
    for (;;) {
      const at = input.indexOf(end);
      if (at >= 0) {
        const taken = input.slice(0, at);
        input = input.slice(at + end.length);
        return taken;
      }
      if (isOver) return null;
      await more();
    }
  };
  const line = async (): Promise<string | null> => {
    const taken = await takeTo("\r\n");
    if (taken !== null) heard.push(taken);
    return taken;
  };
  const say = (text: string): void => {
    socket.write(text);
  };
  const content = async (): Promise<string> => (await takeTo("\r\n.\r\n")) ?? "";
  return {
    line,
    say,
    content,
    heard: async () => {
      while (input === "" && !isOver) await more();
    },
    hasMore: () => input !== "",
    until: async (start) => {
      const lines: string[] = [];
      for (let one = await line(); one !== null; one = await line()) {
        lines.push(one);
        if (one.startsWith(start)) break;
      }
      return lines;
    },
    hello: async (...extensions) => {
      say("220 odd.example ESMTP\r\n");
      await line();
      const lines = ["odd.example", ...extensions];
      say(lines.map((text, index) => `250${index < lines.length - 1 ? "-" : " "}${text}\r\n`).join(""));
    },
    serve: async () => {
      let mails = 0;
      for (let one = await line(); one !== null; one = await line()) {
        if (one.startsWith("QUIT")) break;
        if (one.startsWith("DATA")) {
          say("354 go on\r\n");
          await content();
          mails += 1;
        }
        say("250 2.0.0 fine\r\n");
      }
      return mails;
    },
    secure: (certificate) => {
      socket.removeAllListeners("data").removeAllListeners("close");
      socket = new TLSSocket(socket, { isServer: true, ...certificate });
      listenTo(socket);
    },
    hang: async () => {
      while (!isOver) await more();
    },
    trickle: async (text) => {
      while (!isOver) {
        say(text);
        await sleep(20);
      }
    },
    close: () => socket.destroy(),
  };
};

/** Starts a server with a behavior that a test defines. */
export const startMisbehavingServer = async (
  behavior: Behavior,
  { host = "127.0.0.1", port = 0 }: { readonly host?: string; readonly port?: number } = {},
): Promise<MisbehavingServer> => {
  const heard: string[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    const visit = createVisit(socket, heard);
    connections += 1;
    behavior(visit, connections - 1).then(visit.close, visit.close);
  });
  server.listen(port, host);
  await once(server, "listening");
  const address = server.address();
  return {
    port: typeof address === "object" && address ? address.port : 0,
    heard,
    connections: () => connections,
    open: () => sockets.size,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
};
