import { current } from "../../support/current.ts";
import type { Client } from "./client.ts";
import { openSocket, type SocketClient, settle } from "./socketClient.ts";
import { startServer, type TestServer } from "./startServer.ts";

type Who = Pick<Client, "token" | "cookies">;

/** A server, a signed-in user, and the sockets they open. */
export interface SocketServer {
  readonly server: TestServer;
  /** Signed in as owner@example.org. */
  readonly user: Client;
  /** Opens a socket of the user, or of another one; it is closed after the test. */
  readonly open: (who?: Who) => Promise<SocketClient>;
  /** Opens a socket that subscribes to a topic, notifications by default. */
  readonly follower: (who?: Who, topic?: object) => Promise<SocketClient>;
}

/** Starts a server with a signed-in user for each test of a `describe`. */
export const useSocketServer = (): SocketServer => {
  let running: TestServer | undefined;
  let owner: Client | undefined;
  let opened: readonly SocketClient[] = [];
  beforeEach(async () => {
    running = await startServer();
    owner = await running.signIn("owner@example.org");
    opened = [];
  });
  afterEach(async () => {
    for (const { socket } of opened) socket.terminate();
    await running?.stop();
  });
  const server = current(() => running);
  const user = current(() => owner);
  const open = async (who: Who = user): Promise<SocketClient> => {
    const client = await openSocket(server.origin, who);
    opened = [...opened, client];
    return client;
  };
  return {
    server,
    user,
    open,
    follower: async (who, topic = { channel: "notifications" }) => {
      const socket = await open(who);
      socket.send("subscribe", topic);
      await settle(socket);
      return socket;
    },
  };
};
