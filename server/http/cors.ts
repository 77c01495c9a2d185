import type { FastifyInstance } from "fastify";
import { csrfHeader } from "../../core/contract/csrf.ts";
import { perMinute } from "./limits.ts";
import { allowed } from "./rateLimit.ts";
import { Refusal } from "./refusal.ts";

const methods = "GET, POST, PUT, DELETE";
const requestHeaders = `accept, authorization, content-type, if-match, x-request-id, ${csrfHeader}`;
const answerHeaders = `etag, retry-after, ${csrfHeader}`;
/** How long a browser may remember a preflight's answer: the longest that browsers take. */
const preflightForS = 7_200;

/**
 * Lets pages of exactly these origins call with credentials (Fetch, 3.2). A page of any other origin gets no word
 * about it, so its browser keeps the answer from it.
 */
export const answerOrigins = (fastify: FastifyInstance, origins: readonly string[]): void => {
  if (origins.length === 0) return;
  const isAllowed = (origin: string | undefined): origin is string =>
    origin !== undefined && origins.includes(origin);

  fastify.addHook("onSend", async ({ headers }, reply) => {
    const varies = String(reply.getHeader("vary") ?? "");
    if (!/\borigin\b/i.test(varies)) reply.header("vary", [varies, "origin"].filter(Boolean).join(", "));
    if (!isAllowed(headers.origin)) return;
    reply.header("access-control-allow-origin", headers.origin);
    reply.header("access-control-allow-credentials", "true");
    reply.header("access-control-expose-headers", answerHeaders);
  });

  fastify.options(
    "/*",
    { config: { rateLimit: { max: allowed(perMinute.anything) } } },
    async ({ headers }, reply) => {
      if (!isAllowed(headers.origin) || headers["access-control-request-method"] === undefined)
        throw new Refusal(404, "There is nothing here.");
      return reply
        .code(204)
        .header("access-control-allow-methods", methods)
        .header("access-control-allow-headers", requestHeaders)
        .header("access-control-max-age", String(preflightForS))
        .send();
    },
  );
};
