import { UseCaseError } from "../../platform/errors/useCaseError.ts";
import { newSecret } from "../../platform/ops/keyedHash.ts";
import type { Db } from "../../platform/store/database.ts";
import type { CodeNetwork } from "../codes/codeNetwork.ts";
import type { ServerContext } from "../serverContext.ts";
import { challengeLifetimeMs, maxChallenges, maxChallengesOfNetwork } from "./passkeyLimits.ts";

const tooMany = (): UseCaseError =>
  new UseCaseError("too-often", "Passkeys are asked for too often. Please use a code, or try again later.", {
    retryAfterS: challengeLifetimeMs / 1_000,
  });

/** What authenticators are asked to sign, in the store: any process may take the answer. */
export interface Challenges {
  /** Creates a challenge; `userId` is null for a sign-in. Rejects with 429 while too many are open. */
  readonly create: (userId: string | null, network: CodeNetwork) => Promise<string>;
  /** Uses a challenge up; false unless it was made for this user, or for a sign-in, and can still be used. */
  readonly consume: (challenge: string, userId: string | null) => Promise<boolean>;
}

export const createChallenges = ({
  database,
  hash,
  clock,
  random,
}: Pick<ServerContext, "database" | "hash" | "clock" | "random">): Challenges => ({
  create: (userId, network) => {
    const [challenge, now] = [newSecret(random), clock.now()];
    const networkHash = hash("passkey-challenge", "network", network.name);
    return database.transaction(async (db) => {
      const open = db
        .selectFrom("passkey_challenges")
        .select((e) => e.fn.countAll().as("count"))
        .where("expires_at", ">", now);
      const all = await open.executeTakeFirstOrThrow();
      const ofNetwork = await open.where("network", "=", networkHash).executeTakeFirstOrThrow();
      if (Number(all.count) >= maxChallenges) throw tooMany();
      if (!network.isLocal && Number(ofNetwork.count) >= maxChallengesOfNetwork) throw tooMany();
      await db
        .insertInto("passkey_challenges")
        .values({
          hash: hash("passkey-challenge", challenge),
          user_id: userId,
          network: networkHash,
          expires_at: now + challengeLifetimeMs,
        })
        .execute();
      return challenge;
    });
  },
  consume: async (challenge, userId) => {
    const found = await database.db
      .deleteFrom("passkey_challenges")
      .where("hash", "=", hash("passkey-challenge", challenge))
      .returning(["user_id", "expires_at"])
      .executeTakeFirst();
    return found !== undefined && found.user_id === userId && Number(found.expires_at) > clock.now();
  },
});

export const prunePasskeyChallenges = async (db: Db, now: number): Promise<void> => {
  await db.deleteFrom("passkey_challenges").where("expires_at", "<=", now).execute();
};
