import { codeLifetimeMs, type OneTimeCode } from "../../../../core/session/oneTimeCode.ts";
import type { ServerContext } from "../../../context/serverContext.ts";
import { prepareSystemMail } from "../../../delivery/systemMail/systemMail.ts";
import { proofCodeMail } from "../../../delivery/systemMail/systemMailTexts.ts";
import { fieldError, UseCaseError } from "../../../platform/errors/useCaseError.ts";
import { newCode } from "../../../platform/ops/keyedHash.ts";
import { afterCommit } from "../../../platform/store/afterCommit.ts";
import type { SessionContext } from "../../../platform/store/authContext.ts";
import type { Write } from "../../../platform/store/database.ts";
import { getUser, type UserRow } from "../../../platform/store/users.ts";
import { recordProof } from "../../recentProof/recentProof.ts";
import { countCodeMailTo, countMailForKey, tooManyToAddress } from "../../signInCodes/codeMailLimit.ts";
import { consumeLoginCode, replaceLoginCode, tryLoginCode } from "../../signInCodes/signInQueries.ts";
import type { WrongCodes } from "../../signInCodes/wrongCodes.ts";

export interface ProofByCodeDeps
  extends Pick<ServerContext, "database" | "hash" | "clock" | "random" | "sender" | "delivery"> {
  readonly wrongCodes: WrongCodes;
}

/** The proof of a user by a code that is mailed to the account's address. */
export interface ProofByCode {
  /** Prepares to mail a code, which replaces the one before it. Rejects with 429 beyond 5 mails an hour. */
  readonly request: (userId: string) => Promise<Write<void>>;
  /**
   * Checks the code, and prepares to confirm for the session. Rejects with 400 for a wrong code, each of which has 5 tries, and
   * with 429 after many.
   */
  readonly prove: (session: SessionContext, code: OneTimeCode) => Promise<Write<void>>;
}

const passkeysOnly = (): UseCaseError =>
  new UseCaseError("forbidden", "Your account requires a passkey. Confirm with one.");
const wrongCode = (): UseCaseError =>
  fieldError("invalid", "code", "This code is not right or no longer works. Check it, or ask for a new one.");

/** Creates the proof by code. Its codes are its own: one for logging in confirms nothing, and the other way round. */
export const createProofByCode = ({
  database,
  hash,
  clock,
  random,
  sender,
  delivery,
  wrongCodes,
}: ProofByCodeDeps): ProofByCode => {
  const keyOf = (userId: string): string => `proof ${userId}`;
  const hashOf = (userId: string, code: OneTimeCode): string => hash("proof-code", userId, code);
  const assertTakesCodes = (user: UserRow): void => {
    if (user.passkeys_only === 1) throw passkeysOnly();
  };
  return {
    request: async (userId) => {
      const now = clock.now();
      const user = await getUser(database.db, userId);
      assertTakesCodes(user);
      const code = newCode(random);
      const mail = proofCodeMail(sender, user.email, code, codeLifetimeMs / 60_000);
      const queueMail = await prepareSystemMail(sender, mail, { now, random });
      return async (tx) => {
        await countCodeMailTo(tx, user.email_key, now);
        const sentAt = await countMailForKey(tx, keyOf(userId), now, tooManyToAddress);
        await replaceLoginCode(tx, keyOf(userId), {
          codeHash: hashOf(userId, code),
          expiresAt: now + codeLifetimeMs,
          sentAt,
        });
        await queueMail(tx);
        afterCommit(tx, delivery.wake);
      };
    },

    prove: async ({ userId, sessionId }, code) => {
      const now = clock.now();
      const { db } = database;
      const user = await getUser(db, userId);
      assertTakesCodes(user);
      const guess = { account: keyOf(userId), client: sessionId, isKnown: true };
      await wrongCodes.assertMayTry(guess);
      const attempt = await tryLoginCode(db, keyOf(userId), hashOf(userId, code), now);
      if (attempt === "wrong" || attempt === "burnt") await wrongCodes.record(guess, async () => user);
      if (attempt !== "right") throw wrongCode();
      return async (tx) => {
        if (!(await consumeLoginCode(tx, keyOf(userId), hashOf(userId, code)))) throw wrongCode();
        await recordProof(tx, sessionId, now);
      };
    },
  };
};
