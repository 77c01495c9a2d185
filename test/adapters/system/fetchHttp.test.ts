import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { fetchHttp } from "../../../adapters/system/fetchHttp.ts";
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

describe("HTTP over fetch", () => {
  httpContract(async () => {
    const gone = createServer();
    const nowhere = await listening(gone);
    await new Promise((resolve) => gone.close(resolve));
    const server = createServer(answering);
    const origin = await listening(server);
    return {
      http: fetchHttp,
      origin,
      nowhere,
      stop: async () => {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      },
    };
  });
});
