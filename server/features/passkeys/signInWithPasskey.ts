import type { UsedPasskey } from "../../../core/passkeys/passkeyEndpoints.ts";
import { UseCaseError } from "../../platform/errors/useCaseError.ts";
import { findUser, lockUser } from "../../platform/store/users.ts";
import type { CodeNetwork } from "../codes/codeNetwork.ts";
import type { ServerContext } from "../serverContext.ts";
import type { CompleteSignIn, SignInResult } from "../session/completeSignIn.ts";
import { recordSignInWay } from "../session/signInWayQueries.ts";
import type { Challenges } from "./challenges.ts";
import type { NotifyPasskey } from "./passkeyNotice.ts";
import { findPasskeyByCredential, type PasskeyRow, recordPasskeyUse } from "./passkeyQueries.ts";
import type { PasskeyRefusal, RefusedPasskeys } from "./refusedPasskeys.ts";
import { checkUsedPasskey, type RelyingParty, readClientData, type UsedCredential } from "./relyingParty.ts";

/** The sentence of each refusal. None tells whether an account exists, or whose a passkey is. */
const texts: Readonly<Record<PasskeyRefusal, string>> = {
  unreadable: "Your browser's answer could not be read. Please try again, or use a code.",
  challenge: "This took too long, or was answered already. Please try again.",
  origin: "This passkey was used at another address. Open the address of this server, and try again there.",
  unknown: "This passkey is not known here. Use another one, or log in with a code.",
  owner: "This passkey is not known here. Use another one, or log in with a code.",
  signature: "This passkey could not be checked. Please try again, or use a code.",
  counter:
    "This passkey was refused, because it may have been copied. Use another one, or log in with a code.",
  unverified:
    "This passkey was used without its PIN, fingerprint or face. Please try again and unlock it, or use a code.",
};

/** A refusal to count; thrown where only its reason is known. */
class Refused extends Error {
  readonly reason: PasskeyRefusal;
  constructor(reason: PasskeyRefusal) {
    super(reason);
    this.reason = reason;
  }
}

export interface PasskeySignInDeps
  extends Pick<ServerContext, "database" | "clock" | "hash" | "feed" | "delivery"> {
  readonly party: RelyingParty;
  readonly challenges: Challenges;
  readonly refused: RefusedPasskeys;
  readonly completeSignIn: CompleteSignIn;
  readonly notifyPasskey: NotifyPasskey;
}

/** A sign-in with a passkey, and the address of the account where it still needs the second factor. */
export interface PasskeySignIn {
  readonly result: SignInResult;
  readonly email: string;
}

/**
 * Signs in with what an authenticator has signed. A challenge works once; a counter that does not increase is refused and told
 * to the owner; a passkey that has once verified its holder always has to. Rejects as "unauthenticated".
 */
export const createSignInWithPasskey = ({
  database,
  clock,
  hash,
  feed,
  delivery,
  party,
  challenges,
  refused,
  completeSignIn,
  notifyPasskey,
}: PasskeySignInDeps) => {
  const assertOwner = async (passkey: PasskeyRow, handle: string | undefined): Promise<void> => {
    const owner = await findUser(database.db, passkey.user_id);
    if (!owner?.passkey_handle || handle !== owner.passkey_handle) throw new Refused("owner");
  };

  const check = async (
    used: UsedPasskey,
  ): Promise<{ readonly passkey: PasskeyRow; readonly checked: UsedCredential }> => {
    const clientData = readClientData(used.response.clientDataJSON);
    if (!clientData) throw new Refused("unreadable");
    if (!(await challenges.consume(clientData.challenge, null))) throw new Refused("challenge");
    if (clientData.origin !== party.origin) throw new Refused("origin");
    const passkey = await findPasskeyByCredential(database.db, used.id);
    if (!passkey) throw new Refused("unknown");
    await assertOwner(passkey, used.response.userHandle);
    const checked = await checkUsedPasskey(party, used, clientData.challenge, passkey);
    if (!checked) throw new Refused("signature");
    if (passkey.verifies === 1 && !checked.isVerified) throw new Refused("unverified");
    return { passkey, checked };
  };

  const complete = async (
    passkey: PasskeyRow,
    { counter, isVerified, isBackedUp }: UsedCredential,
    userAgent: string,
  ): Promise<PasskeySignIn | "counter"> =>
    database.transaction(async (db) => {
      await lockUser(db, passkey.user_id);
      const user = await findUser(db, passkey.user_id);
      if (!user) throw new Refused("unknown");
      const use = { counter, isVerified, isBackedUp, now: clock.now() };
      if (!(await recordPasskeyUse(db, passkey.id, use))) {
        if (!(await findPasskeyByCredential(db, passkey.credential_id))) throw new Refused("unknown");
        await notifyPasskey(db, user, { kind: "copied", name: passkey.name });
        return "counter";
      }
      const proof = { kind: "passkey", passkeyId: passkey.id, isVerified } as const;
      const result = await completeSignIn(db, user, userAgent, proof);
      await recordSignInWay(db, { result, way: "passkey", hash });
      return { result, email: user.email };
    });

  const signIn = async (used: UsedPasskey, userAgent: string): Promise<PasskeySignIn> => {
    const { passkey, checked } = await check(used);
    const completed = await complete(passkey, checked, userAgent);
    feed.wake();
    delivery.wake();
    if (completed === "counter") throw new Refused("counter");
    return completed;
  };

  return async (used: UsedPasskey, userAgent: string, network: CodeNetwork): Promise<PasskeySignIn> => {
    await refused.assertMayTry(network);
    try {
      return await signIn(used, userAgent);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      await refused.record(network, error.reason);
      throw new UseCaseError("unauthenticated", texts[error.reason]);
    }
  };
};
