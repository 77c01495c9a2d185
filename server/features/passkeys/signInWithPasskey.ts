import type { UsedPasskey } from "../../../core/passkeys/passkeyEndpoints.ts";
import type { ServerContext } from "../../context/serverContext.ts";
import type { CompleteSignIn, SignInResult } from "../session/completeSignIn.ts";
import { recordSignInWay } from "../session/signInWayQueries.ts";
import type { CodeNetwork } from "../signInCodes/codeNetwork.ts";
import type { CheckPasskey } from "./checkPasskey.ts";

export interface PasskeySignInDeps extends Pick<ServerContext, "hash"> {
  readonly checkPasskey: CheckPasskey;
  readonly completeSignIn: CompleteSignIn;
}

/** A sign-in with a passkey, and the address of the account where it still needs the second factor. */
export interface PasskeySignIn {
  readonly result: SignInResult;
  readonly email: string;
}

/** Creates the sign-in with what an authenticator has signed. Rejects as "unauthenticated". */
export const createSignInWithPasskey =
  ({ hash, checkPasskey, completeSignIn }: PasskeySignInDeps) =>
  (used: UsedPasskey, userAgent: string, network: CodeNetwork): Promise<PasskeySignIn> =>
    checkPasskey(used, { userId: null, network }, async (db, { passkey, user, isVerified }) => {
      const proof = { kind: "passkey", passkeyId: passkey.id, isVerified } as const;
      const result = await completeSignIn(db, user, userAgent, proof);
      await recordSignInWay(db, { result, way: "passkey", hash });
      return { result, email: user.email };
    });
