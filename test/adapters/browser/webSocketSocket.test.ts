import { expect } from "chai";
import { firstValueFrom } from "rxjs";
import { createWebSocketSocket } from "../../../adapters/browser/webSocketSocket.ts";
import { socketContract } from "../../contracts/socketContract.ts";
import { startEchoServer } from "../echoServer.ts";

describe("Sockets over WebSocket", () => {
  socketContract(async () => {
    const { origin, stop } = await startEchoServer();
    return {
      socket: createWebSocketSocket(() => `${origin}/somewhere?a=b`),
      address: "/ws?token=a.b.c",
      nowhere: "ws://127.0.0.1:9/ws",
      stop,
    };
  });

  it("close at once when the address is invalid", async () => {
    const socket = createWebSocketSocket(() => "http://localhost/");
    expect(await firstValueFrom(socket.open("http://[").events$)).to.include({ kind: "closed", code: 1006 });
  });
});
