import type { UsedPasskey } from "../../../core/passkeys/passkeyEndpoints.ts";
import type { ServerContext } from "../../context/serverContext.ts";
import { UseCaseError } from "../../platform/errors/useCaseError.ts";
import type { Db } from "../../platform/store/database.ts";
import { findUser, lockUser, type UserRow } from "../../platform/store/users.ts";
import type { Challenges } from "./challenges.ts";
import type { NotifyPasskey } from "./passkeyNotice.ts";
import { findPasskeyByCredential, type PasskeyRow, recordPasskeyUse } from "./passkeyQueries.ts";
import type { PasskeyRefusal, PasskeyUser, RefusedPasskeys } from "./refusedPasskeys.ts";
import { checkUsedPasskey, type RelyingParty, readClientData, type UsedCredential } from "./relyingParty.ts";

/** The sentence of each refusal. None tells whether an account exists, or whose a passkey is. */
const texts: Readonly<Record<PasskeyRefusal, string>> = {
  unreadable: "Your browser's answer could not be read. Try again, or use a code.",
  challenge: "This took too long, or was answered already. Try again.",
  origin: "This passkey was used at another address. Open the address of this server, and try again there.",
  unknown: "This passkey is not known here. Use another one, or log in with a code.",
  owner: "This passkey is not known here. Use another one, or log in with a code.",
  signature: "This passkey could not be checked. Try again, or use a code.",
  counter:
    "This passkey was refused, because it may have been copied. Use another one, or log in with a code.",
  unverified:
    "This passkey was used without its PIN, fingerprint or face. Try again and unlock it, or use a code.",
};

/** A refusal to count; thrown where only its reason is known. */
class Refused extends Error {
  readonly reason: PasskeyRefusal;
  constructor(reason: PasskeyRefusal) {
    super(reason);
    this.reason = reason;
  }
}

export interface CheckPasskeyDeps extends Pick<ServerContext, "database" | "clock" | "feed" | "delivery"> {
  readonly party: RelyingParty;
  readonly challenges: Challenges;
  readonly refused: RefusedPasskeys;
  readonly notifyPasskey: NotifyPasskey;
}

/** A passkey that was used rightly, and its locked user. */
export interface UsedRightly {
  readonly passkey: PasskeyRow;
  readonly user: UserRow;
  readonly isVerified: boolean;
}

/** A passkey whose signature is right, and the challenge that it answers. */
interface Checked {
  readonly passkey: PasskeyRow;
  readonly checked: UsedCredential;
  readonly challenge: string;
}

/**
 * Checks what an authenticator has signed, records the use of the passkey, and runs `work` in the same transaction. A challenge
 * works once; a counter that does not increase is refused and told to the owner; a passkey that has once verified its holder
 * always has to. Rejects as "unauthenticated", or as "invalid" where the user is known already.
 */
export type CheckPasskey = <A>(
  used: UsedPasskey,
  by: PasskeyUser,
  work: (db: Db, checked: UsedRightly) => Promise<A>,
) => Promise<A>;

export const createCheckPasskey = ({
  database,
  clock,
  feed,
  delivery,
  party,
  challenges,
  refused,
  notifyPasskey,
}: CheckPasskeyDeps): CheckPasskey => {
  const assertOwner = async (
    passkey: PasskeyRow,
    handle: string | undefined,
    userId: string | null,
  ): Promise<void> => {
    if (userId !== null && passkey.user_id !== userId) throw new Refused("owner");
    const owner = await findUser(database.db, passkey.user_id);
    if (!owner?.passkey_handle || handle !== owner.passkey_handle) throw new Refused("owner");
  };

  const check = async (used: UsedPasskey, userId: string | null): Promise<Checked> => {
    const clientData = readClientData(used.response.clientDataJSON);
    if (!clientData) throw new Refused("unreadable");
    const { challenge } = clientData;
    if (!challenges.isOpen(challenge, userId)) throw new Refused("challenge");
    if (clientData.origin !== party.origin) throw new Refused("origin");
    const passkey = await findPasskeyByCredential(database.db, used.id);
    if (!passkey) throw new Refused("unknown");
    await assertOwner(passkey, used.response.userHandle, userId);
    const checked = await checkUsedPasskey(party, used, challenge, passkey);
    if (!checked) throw new Refused("signature");
    if (passkey.verifies === 1 && !checked.isVerified) throw new Refused("unverified");
    return { passkey, checked, challenge };
  };

  const use = async <A>(
    { passkey, checked: { counter, isVerified, isBackedUp }, challenge }: Checked,
    work: (db: Db, checked: UsedRightly) => Promise<A>,
  ): Promise<{ readonly result: A } | "counter"> =>
    database.transaction(async (db) => {
      await lockUser(db, passkey.user_id);
      const user = await findUser(db, passkey.user_id);
      if (!user) throw new Refused("unknown");
      if (!(await challenges.consume(db, challenge))) throw new Refused("challenge");
      if (!(await recordPasskeyUse(db, passkey.id, { counter, isVerified, isBackedUp, now: clock.now() }))) {
        if (!(await findPasskeyByCredential(db, passkey.credential_id))) throw new Refused("unknown");
        await notifyPasskey(db, user, { kind: "copied", name: passkey.name });
        return "counter";
      }
      return { result: await work(db, { passkey, user, isVerified }) };
    });

  return async (used, by, work) => {
    const { userId } = by;
    await refused.assertMayTry(by);
    try {
      const done = await use(await check(used, userId), work);
      feed.wake();
      delivery.wake();
      if (done === "counter") throw new Refused("counter");
      return done.result;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      await refused.record(by, error.reason);
      throw new UseCaseError(userId === null ? "unauthenticated" : "invalid", texts[error.reason]);
    }
  };
};
