import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { ReadMetrics } from "../metrics/readMetrics.ts";
import { type Health, toReadiness } from "../ops/health.ts";
import { errorTrace, type Log } from "../ops/log.ts";
import { limits } from "./httpLimits.ts";
import { createCheckToken } from "./metricsAccess.ts";
import { metricsType } from "./metricsRoute.ts";

export interface MetricsListenerDeps {
  readonly host: string;
  readonly port: number;
  readonly read: ReadMetrics;
  readonly health: () => Promise<Health>;
  /** Asked of everybody where it is set; null answers everybody who reaches the listener. */
  readonly token: string | null;
  readonly log: Log;
}

/** A listener for monitors alone. */
export interface MetricsListener {
  /** Rejects when its address cannot be had. */
  readonly start: () => Promise<void>;
  readonly stop: () => void;
}

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

const json = (status: number, body: object): Answer => ({
  status,
  type: "application/json; charset=utf-8",
  body: JSON.stringify(body),
});

const listen = (server: Server, { host, port, log }: MetricsListenerDeps): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      server.on("error", (error) =>
        log.error({ error: errorTrace(error) }, "accepting a connection for metrics failed"),
      );
      resolve();
    });
  });

/** Creates the listener of METRICS_LISTEN: /metrics, and whether the process lives (/livez) and is ready (/readyz). */
export const createMetricsListener = (deps: MetricsListenerDeps): MetricsListener => {
  const { read, health, token, log } = deps;
  const checkToken = createCheckToken(token);

  const answer = async ({ url = "/", method, headers }: IncomingMessage): Promise<Answer> => {
    const path = url.split("?", 1)[0];
    if (method !== "GET" && method !== "HEAD") return json(405, { message: "Only GET is answered here." });
    if (path === "/livez") return json(200, { status: "alive" });
    if (path === "/readyz") {
      const readiness = toReadiness(await health());
      return json(readiness.status === "ready" ? 200 : 503, readiness);
    }
    if (path !== "/metrics") return json(404, { message: "There is nothing here." });
    if (token !== null && checkToken(headers) !== "granted")
      return json(401, { message: "This needs the token of METRICS_TOKEN." });
    return { status: 200, type: metricsType, body: await read() };
  };

  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { status, type, body } = await answer(request).catch((error: unknown) => {
      log.error({ error: errorTrace(error) }, "reading the metrics failed");
      return json(500, { message: "Reading the metrics failed." });
    });
    response.writeHead(status, {
      "content-type": type,
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      ...(status === 401 && { "www-authenticate": "Bearer" }),
    });
    response.end(request.method === "HEAD" ? undefined : body);
  };

  const server = createServer(
    {
      connectionsCheckingInterval: limits.checkEveryMs,
      headersTimeout: limits.headersWithinMs,
      requestTimeout: limits.requestWithinMs,
      keepAliveTimeout: limits.idleConnectionMs,
      maxHeaderSize: limits.headerBytes,
    },
    (request, response) => void respond(request, response),
  );
  server.maxConnections = limits.connectionsOfNetwork;
  return {
    start: () => listen(server, deps),
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
};
