import { expect } from "chai";
import { filter, firstValueFrom } from "rxjs";
import { nodeSocket } from "../../../adapters/node/nodeSocket.ts";
import { socketContract } from "../../contracts/socketContract.ts";
import { startEchoServer } from "../echoServer.ts";

describe("Sockets of a Node client", () => {
  socketContract(async () => {
    const { origin, stop } = await startEchoServer();
    return {
      socket: nodeSocket(() => "a=b"),
      address: `${origin.replace("http", "ws")}/ws?token=a.b.c`,
      nowhere: "ws://127.0.0.1:9/ws",
      stop,
    };
  });

  it("send the current cookies and the server's own origin", async () => {
    const server = await startEchoServer();
    let cookies = "";
    const socket = nodeSocket(() => cookies);
    const open = async () => {
      const connection = socket.open(`${server.origin}/ws`);
      await firstValueFrom(connection.events$.pipe(filter(({ kind }) => kind === "opened")));
      connection.close(1000, "done");
      return server.handshake();
    };
    const first = await open();
    expect(first).to.not.have.property("cookie");
    expect(first.origin).to.equal(server.origin);
    cookies = "maskSession=x; csrfToken=y";
    expect(await open()).to.include({ cookie: cookies });
    await server.stop();
  });

  it("close at once when the address is invalid", async () => {
    const closed = await firstValueFrom(nodeSocket(() => "").open("/ws").events$);
    expect(closed).to.include({ kind: "closed", code: 1006 });
  });
});
