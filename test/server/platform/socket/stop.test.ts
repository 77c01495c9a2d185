import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setImmediate } from "node:timers/promises";
import { expect } from "chai";
import type { Client } from "../../support/client.ts";
import { openSocket } from "../../support/socketClient.ts";
import { startServer, type TestServer } from "../../support/startServer.ts";

describe("A server that stops", () => {
  let server: TestServer;
  let user: Client;
  let dialled: Socket[];

  beforeEach(async () => {
    server = await startServer();
    user = await server.signIn("owner@example.org");
    dialled = [];
  });
  afterEach(async () => {
    for (const socket of dialled) socket.destroy();
    await server.stop();
  });

  /** Opens a connection that never closes by itself. */
  const dial = async (): Promise<Socket> => {
    const socket = connect({ port: server.port, host: "127.0.0.1", allowHalfOpen: true });
    dialled.push(socket);
    socket.on("error", () => {});
    await new Promise((resolve) => socket.once("connect", resolve));
    return socket;
  };
  const beginToOpen = (socket: Socket): void => {
    const cookie = Array.from(user.cookies, ([name, value]) => `${name}=${value}`).join("; ");
    socket.write(
      `GET /ws?token=${user.token} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
        `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nCookie: ${cookie}\r\n\r\n`,
    );
  };

  it("announces its return to every socket with 1012", async () => {
    const socket = await openSocket(server.origin, user);
    await server.stop();
    expect(await socket.closed).to.deep.equal({ code: 1012, reason: "The server is stopping" });
  });

  it("is not delayed by sockets that are being opened, or that do not close", async () => {
    const sockets = await Promise.all(Array.from({ length: 30 }, dial));
    const open = sockets.slice(0, 5);
    for (const socket of open) beginToOpen(socket);
    await Promise.all(open.map((socket) => once(socket, "data")));
    const trickle = (async () => {
      for (const socket of sockets.slice(5)) {
        beginToOpen(socket);
        await setImmediate();
      }
    })();
    await setImmediate();
    await Promise.all([server.stop(), trickle]);
  });
});
