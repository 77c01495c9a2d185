import type { FastifyInstance, FastifyRequest } from "fastify";
import { Refusal } from "./refusal.ts";

const safe = new Set(["GET", "HEAD", "OPTIONS"]);

const hostOf = (origin: string): string | undefined =>
  URL.canParse(origin) ? new URL(origin).host : undefined;

/** Whether the browser says that a page of another origin made this request. Programs that are no browsers say nothing. */
export const isFromElsewhere = ({ headers, host }: FastifyRequest, publicUrl: string): boolean => {
  const site = headers["sec-fetch-site"];
  if (site === "same-origin" || site === "none") return false;
  if (site !== undefined) return true;
  const { origin } = headers;
  if (origin === undefined) return false;
  return origin !== publicUrl && hostOf(origin) !== host;
};

/** Refuses what changes something and comes from a page that is not ours (cross-site request forgery). */
export const sameOriginOnly = (fastify: FastifyInstance, publicUrl: string): void => {
  fastify.addHook("onRequest", async (request) => {
    if (!safe.has(request.method) && isFromElsewhere(request, publicUrl))
      throw new Refusal(403, "CSRF check failed: the request came from a page of another site.");
  });
};
