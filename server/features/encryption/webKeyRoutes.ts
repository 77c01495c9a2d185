import type { FastifyInstance } from "fastify";
import { isNameOf } from "../../../core/mail/domainName.ts";
import { perMinute, rateLimitFor } from "../../platform/http/limits.ts";
import type { ServerContext } from "../serverContext.ts";
import { createFindPublishedKey, noPublishedKey } from "./webKeyDirectory.ts";

/** Serves the key of each mask whose owner publishes it, unless it contains an address (Web Key Directory). */
export const webKeyRoutes = (context: Pick<ServerContext, "database" | "config">) => {
  const { maskDomain } = context.config;
  const findPublishedKey = createFindPublishedKey(context);
  const config = { rateLimit: { max: rateLimitFor(perMinute.anything) } };

  return (fastify: FastifyInstance): void => {
    for (const start of ["/.well-known/openpgpkey", "/.well-known/openpgpkey/:domain"]) {
      fastify.get<{ Params: { name: string; domain?: string }; Querystring: { l?: unknown } }>(
        `${start}/hu/:name`,
        { config },
        async ({ params: { name, domain = maskDomain }, query: { l: localPart } }, reply) => {
          if (!isNameOf(domain, maskDomain) || typeof localPart !== "string") throw noPublishedKey();
          const key = await findPublishedKey(name, localPart);
          return reply
            .header("access-control-allow-origin", "*")
            .type("application/octet-stream")
            .send(Buffer.from(key));
        },
      );
      fastify.get(`${start}/policy`, { config }, async (_, reply) => reply.type("text/plain").send(""));
    }
  };
};
