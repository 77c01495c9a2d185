import type { FastifyInstance, FastifyRequest } from "fastify";
import { Refusal } from "./refusal.ts";

const safe = new Set(["GET", "HEAD", "OPTIONS"]);

/** Whether a request of this method only reads (RFC 9110, 9.2.1). */
export const isSafe = (method: string): boolean => safe.has(method);

const hostOf = (origin: string): string | undefined =>
  URL.canParse(origin) ? new URL(origin).host : undefined;

/** Whose pages may call. */
export interface OwnOrigins {
  /** The origin people reach the app at. */
  readonly publicUrl: string;
  /** Other origins that the operator has named. */
  readonly corsOrigins: readonly string[];
}

/**
 * Whether the browser says that a page which may not call made this request. Programs that are no browsers say
 * nothing.
 */
export const isFromElsewhere = (
  { headers, host }: FastifyRequest,
  { publicUrl, corsOrigins }: OwnOrigins,
): boolean => {
  const { origin, "sec-fetch-site": site } = headers;
  if (origin !== undefined && corsOrigins.includes(origin)) return false;
  if (site === "same-origin" || site === "none") return false;
  if (site !== undefined) return true;
  return origin !== undefined && origin !== publicUrl && hostOf(origin) !== host;
};

/** Refuses what changes something and comes from a page that may not (cross-site request forgery). */
export const sameOriginOnly = (fastify: FastifyInstance, origins: OwnOrigins): void => {
  fastify.addHook("preParsing", async (request) => {
    if (!isSafe(request.method) && isFromElsewhere(request, origins))
      throw new Refusal(403, "CSRF check failed: the request came from a page of another site.");
  });
};
