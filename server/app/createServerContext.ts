import type { ServerContext } from "../context/serverContext.ts";
import { createFindEncryption } from "../features/encryption/findEncryption.ts";
import { SenderLists } from "../features/senders/senderLists.ts";
import { sellsPlans } from "../platform/config/config.ts";
import { createKeyedHash } from "../platform/ops/keyedHash.ts";
import { createSeal } from "../platform/ops/secrets.ts";
import type { EncryptionPool } from "../relay/encrypt/encryptCopies.ts";

/** The parts of the context; the rest follows from the settings and the secrets. */
export interface ServerParts
  extends Omit<ServerContext, "seal" | "hash" | "sender" | "senderLists" | "sellsPlans" | "findEncryption"> {
  /** The threads that encrypt mail. */
  readonly encryptionPool: Pick<EncryptionPool, "run">;
}

/** Creates what every feature may use. */
export const createServerContext = ({ encryptionPool, ...parts }: ServerParts): ServerContext => {
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
    findEncryption: createFindEncryption({ ...parts, pool: encryptionPool, publicUrl }),
  };
};
