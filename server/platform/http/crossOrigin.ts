import type { FastifyInstance, FastifyRequest } from "fastify";
import { clientIdHeader } from "../../../core/api/basicMiddleware.ts";
import { csrfHeader } from "../../../core/api/csrfNames.ts";
import { UseCaseError } from "../errors/useCaseError.ts";
import { perMinute, rateLimitFor } from "./limits.ts";

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

/** Whether the headers name a page of a foreign origin; other programs send no such headers and are accepted. */
export const isCrossOrigin = (
  { headers, host }: FastifyRequest,
  { publicUrl, corsOrigins }: AllowedOrigins,
): boolean => {
  const { origin, "sec-fetch-site": site } = headers;
  if (origin !== undefined && corsOrigins.includes(origin)) return false;
  if (site === "same-origin" || site === "none") return false;
  if (site !== undefined) return true;
  return origin !== undefined && origin !== publicUrl && hostOf(origin) !== host;
};

/** Refuses writing requests from pages of other origins (cross-site request forgery). */
export const refuseCrossOriginWrites = (fastify: FastifyInstance, origins: AllowedOrigins): void => {
  fastify.addHook("preParsing", async (request) => {
    if (!isSafeMethod(request.method) && isCrossOrigin(request, origins))
      throw new UseCaseError("forbidden", "CSRF check failed: the request came from a page of another site.");
  });
};

const methods = "GET, POST, PUT, PATCH, DELETE";
const requestHeaders = `accept, authorization, content-type, if-match, x-request-id, ${clientIdHeader}, ${csrfHeader}`;
const exposedHeaders = `etag, retry-after, ${csrfHeader}`;
/** How long a browser may cache the answer to a preflight request, in seconds; browsers accept no more. */
const preflightMaxAgeS = 7_200;

/**
 * Allows pages of exactly these origins to send requests with credentials (Fetch, 3.2). Other origins get no
 * CORS headers, so browsers do not let their pages read answers. @fastify/cors 11.4.3 is not used: with a list
 * of origins it sends allow-credentials to every origin and answers 204 to every preflight request, and it sets
 * `vary: origin` before the handler, so that the `vary: accept` of pages and errors replaces it.
 */
export const allowCrossOrigin = (fastify: FastifyInstance, origins: readonly string[]): void => {
  if (origins.length === 0) return;
  const isAllowed = (origin: string | undefined): origin is string =>
    origin !== undefined && origins.includes(origin);

  fastify.addHook("onSend", async ({ headers }, reply) => {
    const varies = String(reply.getHeader("vary") ?? "");
    if (!/\borigin\b/i.test(varies)) reply.header("vary", [varies, "origin"].filter(Boolean).join(", "));
    if (!isAllowed(headers.origin)) return;
    reply.header("access-control-allow-origin", headers.origin);
    reply.header("access-control-allow-credentials", "true");
    reply.header("access-control-expose-headers", exposedHeaders);
  });

  fastify.options(
    "/*",
    { config: { rateLimit: { max: rateLimitFor(perMinute.anything) } } },
    async ({ headers }, reply) => {
      if (!isAllowed(headers.origin) || headers["access-control-request-method"] === undefined)
        throw new UseCaseError("missing", "There is nothing here.");
      return reply
        .code(204)
        .header("access-control-allow-methods", methods)
        .header("access-control-allow-headers", requestHeaders)
        .header("access-control-max-age", String(preflightMaxAgeS))
        .send();
    },
  );
};
