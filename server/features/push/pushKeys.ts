import type { ServerContext } from "../../context/serverContext.ts";

/** A key pair of P-256, in base64url, by which push services know who sends (RFC 8292). */
export interface PushKeyPair {
  readonly publicKey: string;
  readonly privateKey: string;
}

/** The key pair of the installation; created when it is first asked for, by one of its processes. */
export type PushKeys = () => Promise<PushKeyPair>;

const id = "this";
const sealContext = "private key of push notifications";

const generate = async (): Promise<PushKeyPair> => (await import("web-push")).default.generateVAPIDKeys();

export const createPushKeys = ({
  database: { db },
  seal,
}: Pick<ServerContext, "database" | "seal">): PushKeys => {
  const read = async (): Promise<PushKeyPair | null> => {
    const row = await db.selectFrom("push_keys").selectAll().where("id", "=", id).executeTakeFirst();
    if (!row) return null;
    try {
      return { publicKey: row.public_key, privateKey: seal.open(row.sealed, sealContext) };
    } catch {
      // The database was adopted by an installation with other keys, which can read no subscription either.
      await db.deleteFrom("push_keys").where("sealed", "=", row.sealed).execute();
      return null;
    }
  };
  const create = async (): Promise<PushKeyPair> => {
    const { publicKey, privateKey } = await generate();
    await db
      .insertInto("push_keys")
      .values({ id, public_key: publicKey, sealed: seal.seal(privateKey, sealContext) })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const stored = await read();
    if (!stored) throw new Error("the key of push notifications is not stored");
    return stored;
  };
  let known: Promise<PushKeyPair> | null = null;
  return () => {
    known ??= read()
      .then((pair) => pair ?? create())
      .catch((error: unknown) => {
        known = null;
        throw error;
      });
    return known;
  };
};
