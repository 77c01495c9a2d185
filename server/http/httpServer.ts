import cookie from "@fastify/cookie";
import websocket from "@fastify/websocket";
import { type FastifyInstance, type FastifyReply, fastify } from "fastify";
import type { Log } from "../log.ts";
import { answerOrigins } from "./cors.ts";
import { replyTo, traceOf } from "./errors.ts";
import { takeJson } from "./jsonBody.ts";
import { limits } from "./limits.ts";
import { servePage } from "./page.ts";
import { limitRates } from "./rateLimit.ts";
import { Refusal } from "./refusal.ts";
import { requestLog } from "./requestLog.ts";
import { type OwnOrigins, sameOriginOnly } from "./sameOrigin.ts";
import { securityHeaders } from "./securityHeaders.ts";

export interface HttpParts extends OwnOrigins {
  readonly log: Log;
  /** Where the built page lies (`index.html`, `assets/`). */
  readonly pageFolder: string;
  readonly devReloadOrigin: string | null;
  /** What is answered: each adds its routes. */
  readonly routes: readonly ((fastify: FastifyInstance) => void)[];
}

/** A proxy in front of the server says who its client is; from anybody else that claim is not believed. */
const trustedProxies = ["loopback", "linklocal", "uniquelocal"];

const socketMessageBytes = 16_384;
/** The server goes and comes back: clients connect again (IANA's registry of close codes; RFC 6455, 7.4.2). */
const serviceRestart = 1012;
const closeWithinMs = 1_000;

const sendError = (reply: FastifyReply, error: unknown): FastifyReply => {
  const { status, body, retryAfterS } = replyTo(error);
  if (retryAfterS !== undefined) reply.header("retry-after", String(retryAfterS));
  return reply.code(status).type("application/json; charset=utf-8").send(body);
};

/**
 * Makes the HTTP server, silent until it is told to listen. Every answer wears the security headers, every error goes
 * through one table, nothing a client can send is answered with a 5xx, and no address with a query reaches the log.
 */
export const makeHttpServer = async (parts: HttpParts): Promise<FastifyInstance> => {
  const server = fastify({
    logger: false,
    trustProxy: trustedProxies,
    bodyLimit: limits.bodyBytes,
    requestTimeout: limits.requestWithinMs,
    keepAliveTimeout: limits.idleConnectionMs,
    routerOptions: { maxParamLength: limits.pathParameter },
    http: {
      headersTimeout: limits.headersWithinMs,
      maxHeaderSize: limits.headerBytes,
      shouldUpgradeCallback: ({ headers, url }) =>
        /^websocket$/i.test(headers.upgrade ?? "") && /^\/ws(?:\?|$)/.test(url ?? ""),
    },
    frameworkErrors: (error, _request, reply) => {
      sendError(reply as FastifyReply, error);
    },
  });
  server.server.maxConnections = limits.connections;

  requestLog(server, parts.log);
  await securityHeaders(server, parts);
  takeJson(server);
  sameOriginOnly(server, parts);
  await server.register(cookie);
  await limitRates(server);
  await server.register(websocket, {
    options: { maxPayload: socketMessageBytes, perMessageDeflate: false, clientTracking: true },
    errorHandler: (_error, socket) => socket.terminate(),
    preClose: (done) => {
      for (const client of server.websocketServer.clients) {
        client.close(serviceRestart, "The server is stopping");
        setTimeout(() => client.terminate(), closeWithinMs).unref();
      }
      done();
    },
  });

  server.setErrorHandler((error, request, reply) => {
    if (replyTo(error).status >= 500)
      parts.log.error(
        { route: request.routeOptions.url ?? "unknown", error: traceOf(error) },
        "unexpected error",
      );
    return sendError(reply, error);
  });
  server.setNotFoundHandler({ preHandler: server.rateLimit() }, (_request, reply) =>
    sendError(reply, new Refusal(404, "There is nothing here.")),
  );

  answerOrigins(server, parts.corsOrigins);
  await servePage(server, parts.pageFolder);
  for (const add of parts.routes) server.register(async (scope) => add(scope));
  return server;
};
