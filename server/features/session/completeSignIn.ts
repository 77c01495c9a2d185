import { secondFactorLifetimeMs } from "../../../core/session/oneTimeCode.ts";
import type { User } from "../../../core/session/user.ts";
import type { ServerContext } from "../../context/serverContext.ts";
import { newSecret } from "../../platform/ops/keyedHash.ts";
import type { Db } from "../../platform/store/database.ts";
import type { UserRow } from "../../platform/store/users.ts";
import type { Credentials, Sessions } from "./sessions.ts";
import { wrongCode } from "./signIn/wrongCode.ts";
import { countRecoveryCodes, insertFactorTicket } from "./twoFactor/twoFactorQueries.ts";
import { assertNotSuspended, toUser } from "./user.ts";

/** The result of a complete sign-in. */
export interface SignedInUser {
  readonly kind: "signed-in";
  readonly credentials: Credentials;
  readonly user: User;
}

/** The result of the first proof: a session, or a ticket for the second factor of a user who has one. */
export type SignInResult =
  | SignedInUser
  | { readonly kind: "second-factor-required"; readonly ticket: string };

/**
 * The proof of a sign-in: the mailbox by a code, nothing that rules concern ("other"), or a passkey, possibly with the person who
 * holds it (a PIN, a fingerprint, a face).
 */
export type SignInProof =
  | { readonly kind: "code" | "other" }
  | { readonly kind: "passkey"; readonly passkeyId: string; readonly isVerified: boolean };

export interface CompleteSignInDeps extends Pick<ServerContext, "hash" | "clock" | "random"> {
  readonly sessions: Pick<Sessions, "open">;
}

/**
 * Creates the sign-in for the transaction of its proof. A passkey that has verified its holder is both factors; where the
 * account takes passkeys only, a code by mail needs a recovery code beside it, and is refused as a wrong one where there is
 * none. Throws a 403 for a suspended account.
 */
export const createCompleteSignIn =
  ({ sessions, hash, clock, random }: CompleteSignInDeps) =>
  async (
    db: Db,
    user: UserRow,
    userAgent: string,
    proof: SignInProof = { kind: "other" },
  ): Promise<SignInResult> => {
    assertNotSuspended(user);
    const isRecoveryOnly = proof.kind === "code" && user.passkeys_only === 1;
    if (isRecoveryOnly && (await countRecoveryCodes(db, user.id)) === 0) throw wrongCode();
    const passkeyId = proof.kind === "passkey" ? proof.passkeyId : null;
    const isBothFactors = proof.kind === "passkey" && proof.isVerified;
    if ((user.two_factor === 0 || isBothFactors) && !isRecoveryOnly)
      return {
        kind: "signed-in",
        credentials: await sessions.open(db, user.id, userAgent, passkeyId),
        user: toUser(user),
      };
    const ticket = newSecret(random);
    await insertFactorTicket(db, {
      tokenHash: hash("second-factor", ticket),
      userId: user.id,
      expiresAt: clock.now() + secondFactorLifetimeMs,
      passkeyId,
      isRecoveryOnly,
    });
    return { kind: "second-factor-required", ticket };
  };

export type CompleteSignIn = ReturnType<typeof createCompleteSignIn>;
