import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import {
  createPublicHttpReader,
  type GetFromPublicHost,
} from "../../../server/platform/outgoing/publicHttpClient.ts";
import { createTestAuthority } from "./certificates.ts";

/** A server of keys (Web Key Directory) on this machine, for one host. */
export interface WebKeyServer {
  /** The requests so far, "host path". */
  readonly asked: string[];
  /** How requests are answered from now on; 404 at first. */
  answer: (response: ServerResponse, request: IncomingMessage) => void;
  /** A client as the product has, for which the host of the server is on this machine, and other names are unknown. */
  readonly get: GetFromPublicHost;
  readonly close: () => Promise<void>;
}

interface WebKeyServerOptions {
  /** The networks besides public ones that may be reached. */
  readonly networks?: readonly string[];
  readonly withinMs?: number;
}

/** Starts a server of keys at a host, with a certificate for it. */
export const startWebKeyServer = async (
  host: string,
  { networks = ["loopback"], withinMs }: WebKeyServerOptions = {},
): Promise<WebKeyServer> => {
  const authority = createTestAuthority();
  const asked: string[] = [];
  const http = createServer(authority.issue(host), (request, response) => {
    asked.push(`${String(request.headers.host).replace(/:\d+$/, "")} ${request.url}`);
    server.answer(response, request);
  });
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  const { port } = http.address() as AddressInfo;
  const read = createPublicHttpReader({
    networks,
    isOwnListener: () => false,
    resolve: async (name) => {
      if (name === host) return ["127.0.0.1"];
      throw Object.assign(new Error("unknown"), { code: "ENOTFOUND" });
    },
    ca: authority.cert,
    ...(withinMs === undefined ? {} : { withinMs }),
  });
  const server: WebKeyServer = {
    asked,
    answer: (response) => response.writeHead(404).end(),
    // The server listens on another port than 443, which no such address can name.
    get: (wanted) => read({ ...wanted, url: wanted.url.replace(`//${host}/`, `//${host}:${port}/`) }),
    close: async () => {
      http.closeAllConnections();
      http.close();
      await once(http, "close");
    },
  };
  return server;
};
