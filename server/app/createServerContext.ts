import type { ServerContext } from "../context/serverContext.ts";
import { SenderLists } from "../features/senders/senderLists.ts";
import { sellsPlans } from "../platform/config/config.ts";
import { createKeyedHash } from "../platform/ops/keyedHash.ts";
import { createSeal } from "../platform/ops/secrets.ts";

/** The parts of the context; the rest follows from the settings and the secrets. */
export type ServerParts = Omit<ServerContext, "seal" | "hash" | "sender" | "senderLists" | "sellsPlans">;

/** Creates what every feature may use. */
export const createServerContext = (parts: ServerParts): ServerContext => {
  const { config, secrets, random } = parts;
  const { brand, maskDomain, publicUrl } = config;
  const hash = createKeyedHash(secrets.hashing);
  const seal = createSeal(secrets.sealing, random);
  return {
    ...parts,
    sellsPlans: sellsPlans(config),
    hash,
    seal,
    sender: { brand, maskDomain, publicUrl },
    senderLists: new SenderLists(hash, seal),
  };
};
