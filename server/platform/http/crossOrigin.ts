import type { FastifyInstance, FastifyRequest } from "fastify";
import { clientIdHeader } from "../../../core/api/basicMiddleware.ts";
import { csrfHeader } from "../../../core/api/csrfNames.ts";
import { UseCaseError } from "../errors/useCaseError.ts";
import { isCompatibleCall, presentedToken } from "./presentedToken.ts";
import { routePattern } from "./routePattern.ts";

const safeMethods = new Set(["GET", "HEAD", "OPTIONS"]);

/** Returns whether the method only reads (RFC 9110, 9.2.1). */
export const isSafeMethod = (method: string): boolean => safeMethods.has(method);

const hostOf = (origin: string): string | undefined =>
  URL.canParse(origin) ? new URL(origin).host : undefined;

/** The origins whose pages may send requests to the server. */
export interface AllowedOrigins {
  readonly publicUrl: string;
  readonly corsOrigins: readonly string[];
}

/** True if the headers name a page of a foreign origin; other programs send no such headers and are accepted. */
export const isCrossOrigin = (
  { headers, host }: FastifyRequest,
  { publicUrl, corsOrigins }: AllowedOrigins,
): boolean => {
  const { origin, "sec-fetch-site": site } = headers;
  if (origin !== undefined && corsOrigins.includes(origin)) return false;
  if (site === "same-origin" || site === "none") return false;
  if (site !== undefined) return true;
  return origin !== undefined && origin !== new URL(publicUrl).origin && hostOf(origin) !== host;
};

/**
 * Refuses writing requests from pages of other origins (cross-site request forgery), unless they carry an API token, which
 * no browser adds by itself and which stands in place of a session.
 */
export const refuseCrossOriginWrites = (fastify: FastifyInstance, origins: AllowedOrigins): void => {
  fastify.addHook("preParsing", (request, _reply, _payload, done) => {
    if (isSafeMethod(request.method) || isCompatibleCall(request) || presentedToken(request) !== undefined)
      return done();
    if (!isCrossOrigin(request, origins)) return done();
    done(new UseCaseError("forbidden", "CSRF check failed: the request came from a page of another site."));
  });
};

const methods = "GET, POST, PUT, PATCH, DELETE";
const requestHeaders = `accept, authorization, content-type, if-match, idempotency-key, x-request-id, ${clientIdHeader}, ${csrfHeader}`;
const exposedHeaders = `deprecation, etag, link, retry-after, sunset, ${csrfHeader}`;
/** The methods and headers that pages of any origin may send with an API token, and those of its answers that they may read. */
const tokenCalls = {
  methods: "GET, POST, PUT, PATCH, DELETE, OPTIONS",
  requestHeaders: `authentication, authorization, content-type, accept, if-match, if-none-match, idempotency-key, last-event-id, x-request-id, x-requested-with, x-requested-from, ${clientIdHeader}`,
  exposedHeaders:
    "etag, retry-after, ratelimit, ratelimit-policy, www-authenticate, deprecation, sunset, link",
};
/** The time for which a browser may cache the answer to a preflight request, in seconds; browsers accept no more. */
const preflightMaxAgeS = 7_200;

/** True if the headers that a preflight request asks for include one that carries an API token. */
const asksForToken = ({ headers }: FastifyRequest): boolean =>
  /\bauth(?:entic|oriz)ation\b/i.test(String(headers["access-control-request-headers"] ?? ""));

/** Returns whether a preflight request is for a call that API tokens may make, of the routes registered afterwards. */
const trackTokenRoutes = (fastify: FastifyInstance): ((request: FastifyRequest) => boolean) => {
  const patterns = new Map<string, RegExp>();
  fastify.addHook("onRoute", ({ url, config }) => {
    if (config?.takesTokens === true) patterns.set(url, routePattern(url));
  });
  return (request) => {
    if (isCompatibleCall(request)) return true;
    const path = request.url.split("?", 1)[0] ?? "";
    return asksForToken(request) && [...patterns.values()].some((pattern) => pattern.test(path));
  };
};

/**
 * Allows pages of exactly these origins to send requests with credentials (Fetch, 3.2), and pages of any origin to send
 * requests with an API token and without cookies. Other requests get no CORS headers, so browsers do not let pages of
 * other origins read answers. @fastify/cors 11.4.3 is not used: with a list of origins it sends allow-credentials to every
 * origin and answers 204 to every preflight request, and it sets `vary: origin` before the handler, so that the
 * `vary: accept` of pages and errors replaces it.
 */
export const allowCrossOrigin = (fastify: FastifyInstance, origins: readonly string[]): void => {
  const isAllowed = (origin: string | undefined): origin is string =>
    origin !== undefined && origins.includes(origin);
  const isTokenPreflight = trackTokenRoutes(fastify);

  fastify.addHook("onSend", (request, reply, _payload, done) => {
    const { origin } = request.headers;
    if (origins.length > 0) {
      const varies = String(reply.getHeader("vary") ?? "");
      if (!/\borigin\b/i.test(varies)) reply.header("vary", [varies, "origin"].filter(Boolean).join(", "));
    }
    if (isAllowed(origin) && !isCompatibleCall(request)) {
      reply.header("access-control-allow-origin", origin);
      reply.header("access-control-allow-credentials", "true");
      reply.header("access-control-expose-headers", exposedHeaders);
    } else if (isCompatibleCall(request) || presentedToken(request) !== undefined) {
      reply.header("access-control-allow-origin", "*");
      reply.header("access-control-expose-headers", tokenCalls.exposedHeaders);
      // The answer is for the page that has the token, not only for pages of this origin.
      reply.header("cross-origin-resource-policy", "cross-origin");
    }
    done();
  });

  fastify.options("/*", async (request, reply) => {
    const { headers } = request;
    const isPreflight =
      headers.origin !== undefined && headers["access-control-request-method"] !== undefined;
    if (isPreflight && isAllowed(headers.origin) && !isCompatibleCall(request))
      return reply
        .code(204)
        .header("access-control-allow-methods", methods)
        .header("access-control-allow-headers", requestHeaders)
        .header("access-control-max-age", String(preflightMaxAgeS))
        .send();
    if (isPreflight && isTokenPreflight(request))
      return reply
        .code(204)
        .header("access-control-allow-origin", "*")
        .header("access-control-allow-methods", tokenCalls.methods)
        .header("access-control-allow-headers", tokenCalls.requestHeaders)
        .header("access-control-max-age", String(preflightMaxAgeS))
        .send();
    return reply.callNotFound();
  });
};
