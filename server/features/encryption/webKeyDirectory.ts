import { createHash } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { readKey } from "openpgp";
import { UseCaseError } from "../../platform/errors/useCaseError.ts";
import { perMinute, rateLimitFor } from "../../platform/http/limits.ts";
import type { Database } from "../../platform/store/database.ts";
import { findMailRoute } from "../masks/mailRoute.ts";
import { findPublicKey } from "./publicKeyQueries.ts";

const alphabet = "ybndrfg8ejkmcpqxot1uwisza345h769";

/** Encodes bytes in z-base-32; their number of bits must be divisible by 5. */
const zBase32 = (bytes: Uint8Array): string => {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  return (bits.match(/.{5}/g) ?? []).map((five) => alphabet[Number.parseInt(five, 2)] ?? "").join("");
};

/** Returns the directory's name of a local part (draft-koch-openpgp-webkey-service, 3.1). */
export const directoryName = (localPart: string): string =>
  zBase32(createHash("sha1").update(localPart.toLowerCase()).digest());

/** A user id with an address would reveal the owner of the mask. */
const namesNoAddress = (userIds: readonly string[]): boolean => userIds.every((id) => !id.includes("@"));

const notFound = (): UseCaseError => new UseCaseError("missing", "There is nothing here.");

/** Serves the key of each mask whose owner publishes it, unless it contains an address (Web Key Directory). */
export const webKeyDirectory =
  ({ database, maskDomain }: { readonly database: Database; readonly maskDomain: string }) =>
  (fastify: FastifyInstance): void => {
    const config = { rateLimit: { max: rateLimitFor(perMinute.anything) } };

    const findKey = async (name: string, localPart: string | undefined): Promise<Uint8Array> => {
      if (localPart === undefined || directoryName(localPart) !== name) throw notFound();
      const route = await findMailRoute(database.engine, `${localPart}@${maskDomain}`);
      const row = route?.active ? await findPublicKey(database.db, route.userId) : undefined;
      if (row?.published !== 1) throw notFound();
      const key = await readKey({ armoredKey: row.public_key });
      if (!namesNoAddress(key.getUserIDs())) throw notFound();
      return key.write();
    };

    for (const start of ["/.well-known/openpgpkey", "/.well-known/openpgpkey/:domain"]) {
      fastify.get<{ Params: { name: string; domain?: string }; Querystring: { l?: string } }>(
        `${start}/hu/:name`,
        { config },
        async ({ params, query }, reply) => {
          if (params.domain !== undefined && params.domain.toLowerCase() !== maskDomain) throw notFound();
          const l = typeof query.l === "string" ? query.l : undefined;
          const key = await findKey(params.name, l);
          return reply
            .header("access-control-allow-origin", "*")
            .type("application/octet-stream")
            .send(Buffer.from(key));
        },
      );
      fastify.get(`${start}/policy`, { config }, async (_, reply) => reply.type("text/plain").send(""));
    }
  };
