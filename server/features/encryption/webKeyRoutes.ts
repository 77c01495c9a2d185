import type { FastifyInstance } from "fastify";
import { isNameOf } from "../../../core/mail/domainName.ts";
import type { ServerContext } from "../../context/serverContext.ts";
import { createFindPublishedKey, noPublishedKey } from "./webKeyDirectory.ts";

/** Serves the key of each mask whose owner publishes it, unless it contains an address (Web Key Directory). */
export const webKeyRoutes = (context: Pick<ServerContext, "database" | "config">) => {
  const { maskDomain } = context.config;
  const findPublishedKey = createFindPublishedKey(context);

  return (fastify: FastifyInstance): void => {
    for (const start of ["/.well-known/openpgpkey", "/.well-known/openpgpkey/:domain"]) {
      fastify.get<{ Params: { name: string; domain?: string }; Querystring: { l?: unknown } }>(
        `${start}/hu/:name`,
        async ({ params: { name, domain = maskDomain }, query: { l: localPart } }, reply) => {
          if (!isNameOf(domain, maskDomain) || typeof localPart !== "string") throw noPublishedKey();
          const key = await findPublishedKey(name, localPart);
          return reply
            .header("access-control-allow-origin", "*")
            .type("application/octet-stream")
            .send(Buffer.from(key));
        },
      );
      fastify.get(`${start}/policy`, async (_, reply) => reply.type("text/plain").send(""));
    }
  };
};
