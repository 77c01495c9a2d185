import { createServer as createHttpServer, type RequestListener, type Server } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { createSecureContext } from "node:tls";
import { shareConnections } from "../http/connectionShares.ts";
import { limits } from "../http/httpLimits.ts";
import { errorTrace, type Log } from "../ops/log.ts";
import type { Certificates } from "./certificates.ts";

export interface WebListenersDeps {
  readonly certificates: Pick<Certificates, "secureContext" | "challengeAnswer">;
  /** The server of the app, which handles what arrives over HTTPS too. */
  readonly app: Server;
  /** The address of the app, to whose origin plain HTTP is redirected. */
  readonly publicUrl: string;
  /** True if an address is that of a trusted proxy, whose connections are not limited by network. */
  readonly isProxy: (address: string) => boolean;
  readonly httpPort: number;
  readonly httpsPort: number;
  readonly log: Log;
}

/** The ports of a server with certificates of its own. */
export interface WebListeners {
  readonly startHttp: () => Promise<void>;
  readonly startHttps: () => Promise<void>;
  readonly stop: () => void;
}

const challengePath = /^\/\.well-known\/acme-challenge\/([\w-]+)$/;

const listen = (server: Server, port: number, log: Log): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, () => {
      server.off("error", reject);
      server.on("error", (error) =>
        log.error({ error: errorTrace(error) }, "accepting a connection for HTTP failed"),
      );
      resolve();
    });
  });

/** Plain HTTP answers challenges of the authority and redirects everything else to HTTPS. */
const plainHandler =
  ({ certificates, publicUrl }: WebListenersDeps): RequestListener =>
  ({ url = "/" }, response) => {
    const { origin } = new URL(publicUrl);
    const [, token] = challengePath.exec(url) ?? [];
    const answer = token === undefined ? undefined : certificates.challengeAnswer(token);
    if (answer !== undefined)
      response.writeHead(200, { "content-type": "application/octet-stream" }).end(answer);
    else if (token !== undefined) response.writeHead(404).end();
    else response.writeHead(308, { location: `${origin}${url.startsWith("/") ? url : "/"}` }).end();
  };

/**
 * Creates the listeners for HTTP and HTTPS, which read the certificate at each connection. HTTPS passes
 * requests and WebSockets to the app's server.
 */
export const createWebListeners = (deps: WebListenersDeps): WebListeners => {
  const { certificates, app, isProxy, httpPort, httpsPort, log } = deps;
  const timeouts = {
    connectionsCheckingInterval: limits.checkEveryMs,
    requestTimeout: app.requestTimeout,
    headersTimeout: app.headersTimeout,
    keepAliveTimeout: app.keepAliveTimeout,
  };
  const http = createHttpServer(timeouts, plainHandler(deps));
  const https = createHttpsServer({
    ...timeouts,
    handshakeTimeout: limits.tlsHandshakeWithinMs,
    SNICallback: (_name, done) => done(null, certificates.secureContext() ?? createSecureContext()),
  });
  https.on("request", (request, response) => app.emit("request", request, response));
  https.on("upgrade", (request, socket, head) => {
    // A stopping app takes no more WebSockets; without a listener the socket's error would end the process.
    if (!app.emit("upgrade", request, socket, head)) socket.destroy();
  });
  for (const server of [http, https]) {
    shareConnections(server, isProxy);
    server.on("clientError", (_error, socket) => socket.destroy());
  }
  return {
    startHttp: () => listen(http, httpPort, log),
    startHttps: () => listen(https, httpsPort, log),
    stop: () => {
      for (const server of [http, https]) {
        server.close();
        server.closeIdleConnections();
      }
    },
  };
};
