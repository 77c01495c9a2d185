import cookie from "@fastify/cookie";
import websocket from "@fastify/websocket";
import type { Registry } from "@prometheus-io/client";
import {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  fastify,
  type onRequestHookHandler,
} from "fastify";
import type { ClientConfiguration } from "../../../core/api/configuration.ts";
import type { Clock } from "../../../core/ports/clock.ts";
import { messageBytes } from "../../../core/realtime/messages.ts";
import { errorTrace, type Log } from "../ops/log.ts";
import { noTracing, type Span, type Tracing, traceContextOf } from "../ops/tracing.ts";
import type { Rates } from "../rates/rates.ts";
import { NoRoom } from "../storage/storageProblem.ts";
import {
  type CompatibleApi,
  createFindCompatibleApi,
  type FindCompatibleApi,
  ignoreContentTypes,
  toDeclaredUrl,
} from "./compatibleApi.ts";
import { shareConnections } from "./connectionShares.ts";
import { type AllowedOrigins, allowCrossOrigin, refuseCrossOriginWrites } from "./crossOrigin.ts";
import { announceDeprecations } from "./deprecation.ts";
import { sendErrorPage } from "./htmlPage.ts";
import { HttpError, statusMessage, toErrorReply } from "./httpError.ts";
import { limitRequestRate, limits } from "./httpLimits.ts";
import { measureHttp } from "./httpMetrics.ts";
import { prefersProblem, problemType, toProblem } from "./problemDetails.ts";
import { createWithoutPublicPath, refuseOwnPath } from "./publicPath.ts";
import { acceptJson, refuseUnreadable } from "./requestParsing.ts";
import { routePattern } from "./routePattern.ts";
import { fixedHeaders, securityHeaders } from "./securityHeaders.ts";
import { acceptsHtml, serveWebApp } from "./webApp.ts";

/** With a name of their own, fastify does not look for their functions in all loaded modules. */
const routeName = { [Symbol.for("fastify.display-name")]: "routes" };

/** Close code 1012 makes clients reconnect (IANA close code registry; RFC 6455, 7.4.2). */
const serviceRestart = 1012;
const closeWithinMs = 1_000;

/**
 * Registers WebSockets: at most 16,384 bytes per message (RT9), no compression. A stopping server refuses
 * upgrades and closes every socket with 1012.
 */
const acceptWebSockets = async (server: FastifyInstance): Promise<void> => {
  await server.register(websocket, {
    options: { maxPayload: messageBytes, perMessageDeflate: false, clientTracking: true },
    errorHandler: (_error, socket) => socket.terminate(),
    preClose: (done) => {
      const { websocketServer } = server;
      server.server.removeAllListeners("upgrade");
      websocketServer.close();
      for (const client of websocketServer.clients) {
        client.close(serviceRestart, "The server is stopping");
        setTimeout(() => client.terminate(), closeWithinMs).unref();
      }
      done();
    },
  });
};

/** Returns the methods that the routes accept at a path; empty when no route matches. */
export type MethodsAt = (path: string) => readonly string[];

/** Records the methods of every API and page route registered afterwards, without static files. */
const trackMethods = (fastify: FastifyInstance): MethodsAt => {
  const routes = new Map<string, { readonly pattern: RegExp; readonly methods: Set<string> }>();
  fastify.addHook("onRoute", ({ url, method, config }) => {
    if (config?.page === undefined) return;
    const entry = routes.get(url) ?? { pattern: routePattern(url), methods: new Set<string>() };
    for (const one of [method].flat()) entry.methods.add(one);
    routes.set(url, entry);
  });
  return (path) =>
    [...routes.values()].flatMap(({ pattern, methods }) => (pattern.test(path) ? [...methods] : [])).sort();
};

/** Logs one line per response, without the URL, because it may contain a token. */
const logRequests = (fastify: FastifyInstance, log: Log): void => {
  fastify.addHook("onResponse", ({ method, routeOptions }, reply, done) => {
    log.info(
      {
        method,
        route: routeOptions.url ?? "unknown",
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
      },
      "request",
    );
    done();
  });
};

/** Begins a span with each request of a route, in the trace of the app or of a proxy. */
const traceRequests = (fastify: FastifyInstance, tracing: Pick<Tracing, "request">): void => {
  if (tracing === noTracing) return;
  const spans = new WeakMap<FastifyRequest, Span>();
  fastify.addHook("onRequest", (request, _reply, done) => {
    const { method, headers, routeOptions } = request;
    if (routeOptions.url !== undefined)
      spans.set(request, tracing.request(`${method} ${routeOptions.url}`, traceContextOf(headers)));
    done();
  });
  fastify.addHook("onResponse", (request, reply, done) => {
    spans.get(request)?.end({
      "http.request.method": request.method,
      "http.route": request.routeOptions.url ?? "unknown",
      "http.response.status_code": reply.statusCode,
    });
    done();
  });
};

/** Refuses requests that store new data while there is no room for it. */
const refuseWithoutRoom = (fastify: FastifyInstance, hasRoom: () => boolean): void => {
  const check: onRequestHookHandler = (_request, _reply, done) => done(hasRoom() ? undefined : new NoRoom());
  fastify.addHook("onRoute", (route) => {
    if (route.config?.addsData) route.onRequest = [...[route.onRequest ?? []].flat(), check];
  });
};

export interface HttpServerDeps extends AllowedOrigins {
  readonly log: Log;
  readonly metrics: Registry;
  readonly rates: Rates;
  readonly clock: Pick<Clock, "now">;
  readonly tracing: Pick<Tracing, "request">;
  readonly configuration: ClientConfiguration;
  readonly trustedProxies: readonly string[];
  /** True if an address is that of a trusted proxy, whose connections are not limited by network. */
  readonly isProxy: (address: string) => boolean;
  readonly pageFolder: string;
  /** The other origins that the web app may send requests to. */
  readonly connectOrigins: readonly string[];
  /** True if the web app shows the payment provider's form. */
  readonly takesPayments: boolean;
  /** True while new data may be stored. */
  readonly hasRoom: () => boolean;
  readonly routes: readonly ((fastify: FastifyInstance) => void)[];
  /** The APIs of other services whose clients are answered. */
  readonly compatibleApis: readonly CompatibleApi[];
}

interface ErrorOptions {
  readonly brand: string;
  readonly publicUrl: string;
  readonly findCompatibleApi: FindCompatibleApi;
}

/**
 * Has Node read what is left of a refused body, for as long as a request may take. Fastify would close the connection, which
 * resets it, and a proxy that still writes answers 502. That a stopping server closes it stands in the raw answer.
 */
const leaveBodyToBeRead = (reply: FastifyReply): void => {
  const { raw, request } = reply;
  if (!request.raw.complete && reply.hasHeader("connection") && !raw.hasHeader("connection"))
    reply.header("connection", "keep-alive");
};

/** Sends an error as JSON, in the form of the API that was called, as problem details, or as an HTML page when a browser requested a page. */
const sendError = (
  reply: FastifyReply,
  { brand, publicUrl, findCompatibleApi }: ErrorOptions,
  error: unknown,
): FastifyReply => {
  const errorReply = toErrorReply(error);
  const { status, body, retryAfterS } = errorReply;
  leaveBodyToBeRead(reply);
  if (retryAfterS !== undefined) reply.header("retry-after", String(retryAfterS));
  const compatible = findCompatibleApi(reply.request.url)?.toError(errorReply);
  if (compatible) {
    // No hook runs for a path that cannot be read.
    reply.header("access-control-allow-origin", "*");
    return reply.code(compatible.status).type("application/json; charset=utf-8").send(compatible.body);
  }
  reply.header("vary", "accept");
  if (acceptsHtml(reply.request))
    return sendErrorPage(reply, { brand, publicUrl, status, message: body.message });
  if (prefersProblem(reply.request)) return reply.code(status).type(problemType).send(toProblem(errorReply));
  return reply.code(status).type("application/json; charset=utf-8").send(body);
};

/**
 * Creates the HTTP server without listening. Every response has the security headers, every error goes through
 * `toErrorReply`, client errors are never 5xx, and logs contain route patterns instead of URLs.
 */
export const createHttpServer = async (deps: HttpServerDeps): Promise<FastifyInstance> => {
  const errorOptions = {
    brand: deps.configuration.brand,
    publicUrl: deps.publicUrl,
    findCompatibleApi: createFindCompatibleApi(deps.compatibleApis),
  };
  const withoutPublicPath = createWithoutPublicPath(deps.publicUrl);
  const unhookedHeaders = fixedHeaders(deps);
  const server = fastify({
    logger: false,
    rewriteUrl: ({ url = "/" }) => toDeclaredUrl(withoutPublicPath(url)),
    trustProxy: [...deps.trustedProxies],
    bodyLimit: limits.bodyBytes,
    requestTimeout: limits.requestWithinMs,
    keepAliveTimeout: limits.idleConnectionMs,
    routerOptions: { maxParamLength: limits.pathParameter },
    http: {
      headersTimeout: limits.headersWithinMs,
      connectionsCheckingInterval: limits.checkEveryMs,
      maxHeaderSize: limits.headerBytes,
      shouldUpgradeCallback: ({ headers, url }) =>
        /^websocket$/i.test(headers.upgrade ?? "") && /^\/ws(?:\?|$)/.test(withoutPublicPath(url ?? "")),
    },
    clientErrorHandler: refuseUnreadable,
    frameworkErrors: (error, _request, reply) => {
      sendError((reply as FastifyReply).headers(unhookedHeaders), errorOptions, error);
    },
  });
  // The system may fail to accept a connection, for example without memory; the next one may succeed.
  server.addHook("onListen", async () => {
    server.server.on("error", (error) =>
      deps.log.error({ error: errorTrace(error) }, "accepting a connection for HTTP failed"),
    );
  });
  shareConnections(server.server, deps.isProxy);

  refuseOwnPath(server, deps.publicUrl);
  server.decorateRequest("auth", null);
  logRequests(server, deps.log);
  measureHttp(server, deps.metrics);
  traceRequests(server, deps.tracing);
  securityHeaders(server, deps);
  acceptJson(server);
  ignoreContentTypes(server);
  refuseCrossOriginWrites(server, deps);
  await server.register(cookie);
  const limitUnanswered = limitRequestRate(server, deps);
  refuseWithoutRoom(server, deps.hasRoom);
  await acceptWebSockets(server);

  server.setErrorHandler((error, request, reply) => {
    if (toErrorReply(error).status >= 500)
      deps.log.error(
        { route: request.routeOptions.url ?? "unknown", error: errorTrace(error) },
        "unexpected error",
      );
    return sendError(reply, errorOptions, error);
  });
  const methodsAt = trackMethods(server);
  server.setNotFoundHandler({ preHandler: limitUnanswered }, ({ url }, reply) => {
    const methods = methodsAt(url.split("?", 1)[0] ?? "");
    if (methods.length > 0) reply.header("allow", methods.join(", "));
    const status = methods.length > 0 ? 405 : 404;
    return sendError(reply, errorOptions, new HttpError(status, statusMessage(status)));
  });

  announceDeprecations(server, deps.publicUrl);
  allowCrossOrigin(server, deps.corsOrigins);
  await serveWebApp(server, { ...deps, folder: deps.pageFolder });
  for (const add of deps.routes)
    server.register(Object.assign(async (scope: FastifyInstance) => add(scope), routeName));
  return server;
};
