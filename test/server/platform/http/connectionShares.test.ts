import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { expect } from "chai";
import { shareConnections } from "../../../../server/platform/http/connectionShares.ts";
import { limits } from "../../../../server/platform/http/httpLimits.ts";
import { startServer } from "../../support/startServer.ts";
import { until } from "../../support/until.ts";

const answer = "HTTP/1.1 200";

describe("The connections of an HTTP server", () => {
  let server: Server;
  const sockets: Socket[] = [];

  const start = async (isProxy: (address: string) => boolean = () => false): Promise<void> => {
    server = createServer((_request, response) => response.end("here"));
    const most = { connections: 12, connectionsOfNetwork: 4, connectionsOfWiderNetwork: 8 };
    shareConnections(server, isProxy, most);
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
  };
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    server?.closeAllConnections();
    await new Promise((closed) => server?.close(closed));
  });

  /** Connects without a word. */
  const open = async (localAddress: string, to: Server = server): Promise<Socket> => {
    const { port } = to.address() as AddressInfo;
    const socket = connect({ port, host: "127.0.0.1", localAddress });
    sockets.push(socket);
    socket.on("error", () => {});
    await once(socket, "connect");
    return socket;
  };
  /** Whether a request on a connection is answered; false when the server has cut it off. */
  const isServed = async (socket: Socket): Promise<boolean> => {
    let heard = "";
    socket.setEncoding("latin1").on("data", (text) => {
      heard += text;
    });
    socket.write("GET /healthz HTTP/1.1\r\nHost: here\r\n\r\n");
    await until("an answer or the end", () => heard.startsWith(answer) || socket.destroyed);
    return heard.startsWith(answer);
  };
  const served = async (all: readonly Socket[]): Promise<number> => {
    const answers = await Promise.all(all.map(isServed));
    return answers.filter(Boolean).length;
  };
  const openAll = async (addresses: readonly string[]): Promise<readonly Socket[]> => {
    const all: Socket[] = [];
    for (const address of addresses) all.push(await open(address));
    return all;
  };
  const times = (address: string, count: number): readonly string[] => Array(count).fill(address);

  it("are limited for an address, and reused when one is closed", async () => {
    await start();
    const mine = await openAll(times("127.0.1.1", 6));
    expect(await served(mine)).to.equal(4);
    expect(await isServed(await open("127.0.1.2"))).to.equal(true);
    mine[0]?.destroy();
    await until("the place is free", async () => isServed(await open("127.0.1.1")));
  });

  it("are limited for a /24, and not for a trusted proxy", async () => {
    await start((address) => address === "127.0.2.1");
    expect(await served(await openAll([1, 2, 3].flatMap((n) => times(`127.0.1.${n}`, 4))))).to.equal(8);
    expect(await served(await openAll(times("127.0.2.1", 12)))).to.equal(12);
  });

  it("go to others when all are in use, at the cost of the network that has most", async () => {
    await start();
    const silent = await openAll([1, 2].flatMap((n) => times(`127.0.1.${n}`, 4)));
    const others = await openAll(["127.0.2.1", "127.0.3.1", "127.0.4.1", "127.0.5.1"]);
    const late = await openAll(["127.0.6.1", "127.0.7.1"]);
    expect(await served(late)).to.equal(2);
    expect(await served(others)).to.equal(4);
    expect(await served(silent)).to.equal(6);
  });

  it("are shared by the app's server", async () => {
    const app = await startServer({ trustedProxies: ["192.0.2.1"] });
    try {
      const addressOf = (count: number): readonly string[] => Array(count).fill("127.0.1.1");
      const all: Socket[] = [];
      const { port } = app;
      for (const localAddress of addressOf(limits.connectionsOfNetwork + 5)) {
        const socket = connect({ port, host: "127.0.0.1", localAddress });
        socket.on("error", () => {});
        await once(socket, "connect");
        all.push(socket);
      }
      sockets.push(...all);
      await until("those beyond are cut off", () => all.filter(({ destroyed }) => destroyed).length === 5);
      const other = connect({ port, host: "127.0.0.1", localAddress: "127.0.2.1" });
      sockets.push(other);
      expect(await isServed(other)).to.equal(true);
    } finally {
      for (const socket of sockets) socket.destroy();
      await app.stop();
    }
  });
});
