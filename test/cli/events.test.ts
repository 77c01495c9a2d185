import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "chai";
import { cryptoRandom, systemClock } from "../../adapters/system/clockAndRandom.ts";
import { type ChangeMessage, followChanges } from "../../cli/events.ts";

const message = (id: number, resource: string): string =>
  `id: ${id}\ndata: ${JSON.stringify({ type: "data_update", data: { resource, action: "updated" }, timestamp: 0 })}\n\n`;

/** What is told of a server that answers so, until it has told as much. */
const toldBy = async (
  answer: (response: ServerResponse) => void,
  count: number,
): Promise<readonly ChangeMessage[]> => {
  const server = createServer((_request, response) => answer(response)).listen(0, "127.0.0.1");
  await once(server, "listening");
  const told: ChangeMessage[] = [];
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => {
    const following = followChanges(
      { clock: systemClock, random: cryptoRandom },
      { server: `http://127.0.0.1:${port}`, token: "bauta_token" },
    ).subscribe((one) => {
      told.push(one);
      if (told.length < count) return;
      setImmediate(() => {
        following.unsubscribe();
        resolve();
      });
    });
  });
  server.closeAllConnections();
  server.close();
  return told;
};

describe("What `watch` hears of the server", () => {
  it("is each change of masks and of rules, and that the connection is lost", async () => {
    const told = await toldBy((response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(message(1, "masks") + message(2, "labels"));
      response.end(message(3, "rules"));
    }, 4);
    expect(told).to.deep.equal(["changed", "changed", "changed", "lost"]);
  });

  for (const [status, told] of [
    [403, ["unavailable"]],
    [404, ["unavailable"]],
    [401, ["changed"]],
    [503, ["lost"]],
    [429, ["lost"]],
  ] as const)
    it(`is "${told}" where it answers ${status}`, async () => {
      expect(await toldBy((response) => response.writeHead(status).end(), 1)).to.deep.equal(told);
    });
});
