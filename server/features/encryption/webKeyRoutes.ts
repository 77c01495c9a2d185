import type { FastifyInstance } from "fastify";
import { isNameOf } from "../../../core/mail/domainName.ts";
import type { ServerContext } from "../../context/serverContext.ts";
import { UseCaseError } from "../../platform/errors/useCaseError.ts";
import { webKeyName } from "../../platform/openpgp/webKeyName.ts";
import { findMailRoute } from "../masks/findMailRoute.ts";
import { findPublicKey } from "./publicKeyQueries.ts";

/** A user id with an address would reveal the owner of the mask. */
const namesNoAddress = (userIds: readonly string[]): boolean => userIds.every((id) => !id.includes("@"));

/** The error for a mask without a published key, which nobody can tell from an address without a mask. */
const noPublishedKey = (): UseCaseError => new UseCaseError("missing", "There is nothing here.");

/**
 * Creates the function that returns the key of the mask with a local part, if its owner publishes it and it contains no
 * address; rejects as "missing" otherwise, and when the directory has the local part under another name.
 */
const createFindPublishedKey =
  ({ database, config: { maskDomain } }: Pick<ServerContext, "database" | "config">) =>
  async (name: string, localPart: string): Promise<Uint8Array> => {
    if (webKeyName(localPart) !== name) throw noPublishedKey();
    const route = await findMailRoute(database.engine, `${localPart}@${maskDomain}`);
    const row = route?.active ? await findPublicKey(database.db, route.userId) : undefined;
    if (row?.published !== 1) throw noPublishedKey();
    const { readKey } = await import("openpgp");
    const key = await readKey({ armoredKey: row.public_key });
    if (!namesNoAddress(key.getUserIDs())) throw noPublishedKey();
    return key.write();
  };

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
