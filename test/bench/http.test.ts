import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "chai";
import { exchange } from "../../bench/http.ts";

describe("A request of a bench", () => {
  let server: Server;
  let url: string;

  before(async () => {
    server = createServer(({ headers }, response) => {
      response.writeHead(Number(headers["wanted"])).end("An answer");
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/masks`;
  });
  after(() => {
    server.close();
    server.closeAllConnections();
  });

  const answeredWith = (given: number, status?: number): Promise<string> =>
    exchange({ url, headers: { wanted: String(given) }, ...(status && { status }) }).then(
      ({ body }) => body.toString(),
      (error: Error) => error.message,
    );

  it("is not measured when it is refused, or answered in another way than was asked for", async () => {
    expect(await answeredWith(200)).to.equal("An answer");
    expect(await answeredWith(201, 201)).to.equal("An answer");
    expect(await answeredWith(304, 304)).to.equal("");
    expect(await answeredWith(429)).to.equal(`GET ${url} answered with 429; expected 200.`);
    expect(await answeredWith(429, 304)).to.equal(`GET ${url} answered with 429; expected 304.`);
    expect(await answeredWith(200, 304)).to.equal(`GET ${url} answered with 200; expected 304.`);
  });
});
