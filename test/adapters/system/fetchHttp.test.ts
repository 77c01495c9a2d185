import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { expect } from "chai";
import { right } from "fp-ts/lib/Either.js";
import { fetchHttp, fetchHttpWithoutCookies, withEarlyResponse } from "../../../adapters/system/fetchHttp.ts";
import { network } from "../../../core/kernel/failure.ts";
import type { Http } from "../../../core/ports/http.ts";
import { httpContract } from "../../contracts/httpContract.ts";

const listening = (server: Server): Promise<string> =>
  new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () =>
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    );
  });

const echoOf = async (request: IncomingMessage): Promise<string> => {
  const body = await text(request);
  const path = new URL(request.url ?? "/", "http://localhost").pathname;
  const parsed = body === "" ? null : JSON.parse(body);
  return JSON.stringify({ method: request.method, path, headers: request.headers, body: parsed });
};

const answering: RequestListener = async (request, response) => {
  const status = /^\/status\/(\d+)$/.exec(request.url ?? "")?.[1];
  if (status) response.writeHead(Number(status)).end(`said ${status}`);
  else if (request.url?.startsWith("/echo")) response.setHeader("X-Answer", "yes").end(await echoOf(request));
};

const contractOver = (http: Http): void =>
  httpContract(async () => {
    const gone = createServer();
    const nowhere = await listening(gone);
    await new Promise((resolve) => gone.close(resolve));
    const server = createServer(answering);
    const origin = await listening(server);
    return {
      http,
      origin,
      nowhere,
      stop: async () => {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      },
    };
  });

describe("HTTP over fetch", () => contractOver(fetchHttp));
describe("HTTP over fetch without cookies", () => contractOver(fetchHttpWithoutCookies));

describe("HTTP with a response that was requested before the app ran", () => {
  const sent: Http = () => async () => right({ status: 200, headers: {}, body: "sent" });
  const request = { method: "GET", url: "/masks", headers: { authorization: "Bearer t" } } as const;
  const bodyOf = async (http: Http, overrides: { readonly method?: "POST" } = {}): Promise<unknown> => {
    const outcome = await http({ ...request, ...overrides })();
    return outcome._tag === "Right" ? outcome.right.body : network("none");
  };

  it("answers with it, for the same address and token", async () => {
    const asked: (readonly string[])[] = [];
    const http = withEarlyResponse((...about) => {
      asked.push(about);
      return Promise.resolve(new Response("early", { headers: { etag: "1" } }));
    })(sent);
    expect(await bodyOf(http)).to.equal("early");
    expect(asked).to.deep.equal([["/masks", "t"]]);
    expect(await bodyOf(http, { method: "POST" })).to.equal("sent");
  });

  it("sends the request where there is none, or where the early one did not reach the server", async () => {
    expect(await bodyOf(withEarlyResponse(() => undefined)(sent))).to.equal("sent");
    expect(await bodyOf(withEarlyResponse(() => Promise.reject(new TypeError("offline")))(sent))).to.equal(
      "sent",
    );
  });
});
