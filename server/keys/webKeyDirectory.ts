import { createHash } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { readKey } from "openpgp";
import { perMinute } from "../http/limits.ts";
import { allowed } from "../http/rateLimit.ts";
import { Refusal } from "../http/refusal.ts";
import type { Database } from "../store/database.ts";
import { publicKeyOf } from "../store/publicKeys.ts";
import { findRoute } from "../store/routes.ts";

const alphabet = "ybndrfg8ejkmcpqxot1uwisza345h769";

/** z-base-32 of whole bytes whose number of bits divides by 5. */
const zBase32 = (bytes: Uint8Array): string => {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  return (bits.match(/.{5}/g) ?? []).map((five) => alphabet[Number.parseInt(five, 2)] ?? "").join("");
};

/** How the directory names a local part (draft-koch-openpgp-webkey-service, 3.1). */
export const directoryName = (localPart: string): string =>
  zBase32(createHash("sha1").update(localPart.toLowerCase()).digest());

/** A key that names an address would tell whoever asks who is behind the mask. */
const tellsNobody = (userIds: readonly string[]): boolean => userIds.every((id) => !id.includes("@"));

const nothing = (): Refusal => new Refusal(404, "There is nothing here.");

/** Publishes, for each mask whose owner wants that and has a key that names nobody, that key (Web Key Directory). */
export const webKeyDirectory =
  ({ database, maskDomain }: { readonly database: Database; readonly maskDomain: string }) =>
  (fastify: FastifyInstance): void => {
    const config = { rateLimit: { max: allowed(perMinute.anything) } };

    const keyNamed = async (name: string, localPart: string | undefined): Promise<Uint8Array> => {
      if (localPart === undefined || directoryName(localPart) !== name) throw nothing();
      const route = await findRoute(database.db, `${localPart}@${maskDomain}`);
      const row = route?.active ? await publicKeyOf(database.db, route.userId) : undefined;
      if (row?.published !== 1) throw nothing();
      const key = await readKey({ armoredKey: row.public_key });
      if (!tellsNobody(key.getUserIDs())) throw nothing();
      return key.write();
    };

    for (const start of ["/.well-known/openpgpkey", "/.well-known/openpgpkey/:domain"]) {
      fastify.get<{ Params: { name: string; domain?: string }; Querystring: { l?: string } }>(
        `${start}/hu/:name`,
        { config },
        async ({ params, query }, reply) => {
          if (params.domain !== undefined && params.domain.toLowerCase() !== maskDomain) throw nothing();
          const l = typeof query.l === "string" ? query.l : undefined;
          const key = await keyNamed(params.name, l);
          return reply
            .header("access-control-allow-origin", "*")
            .type("application/octet-stream")
            .send(Buffer.from(key));
        },
      );
      fastify.get(`${start}/policy`, { config }, async (_, reply) => reply.type("text/plain").send(""));
    }
  };
