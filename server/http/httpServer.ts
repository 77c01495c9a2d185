import cookie from "@fastify/cookie";
import { type FastifyInstance, type FastifyReply, fastify } from "fastify";
import type { Log } from "../log.ts";
import { traceOf } from "../trace.ts";
import { answerOrigins } from "./cors.ts";
import { sendErrorDocument } from "./errorDocument.ts";
import { replyTo, sentenceOf } from "./errors.ts";
import { takeJson } from "./jsonBody.ts";
import { noteMethods } from "./knownMethods.ts";
import { limits } from "./limits.ts";
import { servePage, wantsPage } from "./page.ts";
import { limitRates } from "./rateLimit.ts";
import { Refusal } from "./refusal.ts";
import { requestLog } from "./requestLog.ts";
import { type OwnOrigins, sameOriginOnly } from "./sameOrigin.ts";
import { securityHeaders } from "./securityHeaders.ts";
import { takeSockets } from "./sockets.ts";
import { refuseUnreadable } from "./unreadableRequest.ts";

export interface HttpParts extends OwnOrigins {
  readonly log: Log;
  readonly brand: string;
  /** Proxies that say who their client is; from anybody else that claim is not believed. */
  readonly trustedProxies: readonly string[];
  /** Where the built page lies (`index.html`, `assets/`). */
  readonly pageFolder: string;
  /** Other origins the page may send to, because the operator named them. */
  readonly connectTo: readonly string[];
  /** Whether the page shows the payment provider's form. */
  readonly takesPayments: boolean;
  /** What is answered: each adds its routes. */
  readonly routes: readonly ((fastify: FastifyInstance) => void)[];
}

/** Tells a program in JSON, and a person whose browser asked for a page by one, what came in between. */
const sendError = (reply: FastifyReply, brand: string, error: unknown): FastifyReply => {
  const { status, body, retryAfterS } = replyTo(error);
  if (retryAfterS !== undefined) reply.header("retry-after", String(retryAfterS));
  reply.header("vary", "accept");
  if (wantsPage(reply.request)) return sendErrorDocument(reply, { brand, status, message: body.message });
  return reply.code(status).type("application/json; charset=utf-8").send(body);
};

/**
 * Makes the HTTP server, silent until it is told to listen. Every answer wears the security headers, every error goes
 * through one table, nothing a client can send is answered with a 5xx, and no address with a query reaches the log.
 */
export const makeHttpServer = async (parts: HttpParts): Promise<FastifyInstance> => {
  const server = fastify({
    logger: false,
    trustProxy: [...parts.trustedProxies],
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
    clientErrorHandler: refuseUnreadable,
    frameworkErrors: (error, _request, reply) => {
      sendError(reply as FastifyReply, parts.brand, error);
    },
  });
  server.server.maxConnections = limits.connections;

  requestLog(server, parts.log);
  await securityHeaders(server, parts);
  takeJson(server);
  sameOriginOnly(server, parts);
  await server.register(cookie);
  await limitRates(server);
  await takeSockets(server);

  server.setErrorHandler((error, request, reply) => {
    if (replyTo(error).status >= 500)
      parts.log.error(
        { route: request.routeOptions.url ?? "unknown", error: traceOf(error) },
        "unexpected error",
      );
    return sendError(reply, parts.brand, error);
  });
  const methodsAt = noteMethods(server);
  server.setNotFoundHandler({ preHandler: server.rateLimit() }, ({ url }, reply) => {
    const methods = methodsAt(url.split("?", 1)[0] ?? "");
    if (methods.length > 0) reply.header("allow", methods.join(", "));
    const status = methods.length > 0 ? 405 : 404;
    return sendError(reply, parts.brand, new Refusal(status, sentenceOf(status)));
  });

  answerOrigins(server, parts.corsOrigins);
  await servePage(server, { folder: parts.pageFolder, brand: parts.brand });
  for (const add of parts.routes) server.register(async (scope) => add(scope));
  return server;
};
