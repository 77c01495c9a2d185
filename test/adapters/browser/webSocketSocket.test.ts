import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "chai";
import { firstValueFrom } from "rxjs";
import { WebSocketServer } from "ws";
import { makeWebSocketSocket } from "../../../adapters/browser/webSocketSocket.ts";
import { socketContract } from "../../contracts/socketContract.ts";

const serve = async () => {
  const http = createServer();
  const sockets = new WebSocketServer({ server: http, path: "/ws" });
  sockets.on("connection", (socket) => {
    socket.on("message", (data) => {
      const text = String(data);
      const code = /^close (\d+)$/.exec(text)?.[1];
      if (code) socket.close(Number(code), "as asked");
      else socket.send(text);
    });
  });
  await new Promise<void>((resolve) => {
    http.listen(0, "127.0.0.1", resolve);
  });
  const origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const stop = async (): Promise<void> => {
    for (const client of sockets.clients) client.terminate();
    http.closeAllConnections();
    await new Promise((resolve) => http.close(resolve));
  };
  return { origin, stop };
};

describe("Sockets over WebSocket", () => {
  socketContract(async () => {
    const { origin, stop } = await serve();
    return {
      socket: makeWebSocketSocket(() => `${origin}/somewhere?a=b`),
      address: "/ws?token=a.b.c",
      nowhere: "ws://127.0.0.1:9/ws",
      stop,
    };
  });

  it("close at once where the address is none", async () => {
    const socket = makeWebSocketSocket(() => "http://localhost/");
    expect(await firstValueFrom(socket.open("http://[").events$)).to.include({ kind: "closed", code: 1006 });
  });
});
