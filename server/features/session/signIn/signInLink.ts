import type { EmailAddress } from "../../../../core/mail/emailAddress.ts";
import type { Random } from "../../../../core/ports/random.ts";
import { codeLifetimeMs } from "../../../../core/session/oneTimeCode.ts";
import { type SignInLink, signInAddress } from "../../../../core/session/signIn/signInLink.ts";
import type { ServerContext } from "../../../context/serverContext.ts";
import { UseCaseError } from "../../../platform/errors/useCaseError.ts";
import { type KeyedHash, newSecret } from "../../../platform/ops/keyedHash.ts";
import type { Db } from "../../../platform/store/database.ts";
import { consumeSignUpTicket, insertSignUpTicket } from "../../signInCodes/signInQueries.ts";
import { recordSignInWay } from "../signInWayQueries.ts";
import { createAfterProof, type ProvenMailbox, type ProvenMailboxDeps } from "./provenMailbox.ts";
import { signUpClosed } from "./signUpPolicy.ts";

export interface NewSignInLink {
  readonly publicUrl: string;
  readonly email: EmailAddress;
  readonly hash: KeyedHash;
  readonly random: Random;
  readonly now: number;
}

/**
 * Creates a link that proves a mailbox as a mailed code does: it works once, within 10 minutes, and a second factor
 * is still asked for. Its token is stored as a hash only.
 */
export const createSignInLink = async (
  db: Db,
  { publicUrl, email, hash, random, now }: NewSignInLink,
): Promise<{ readonly link: string; readonly expiresAt: number }> => {
  const link: SignInLink = { email, token: newSecret(random) };
  const expiresAt = now + codeLifetimeMs;
  await insertSignUpTicket(db, { tokenHash: hash("sign-in-link", link.token), email, expiresAt });
  return { link: signInAddress(publicUrl, link), expiresAt };
};

const linkUsed = (): UseCaseError =>
  new UseCaseError("unauthenticated", "This link was used already or has expired. Ask for another one.");

export interface OpenSignInLinkDeps extends ProvenMailboxDeps, Pick<ServerContext, "database" | "clock"> {}

/** Exchanges the token of a link for a sign-in. Rejects as "unauthenticated" when it is unknown, used or expired. */
export const createOpenSignInLink = (deps: OpenSignInLinkDeps) => {
  const afterProof = createAfterProof(deps);
  return async (token: string, userAgent: string): Promise<ProvenMailbox> => {
    const now = deps.clock.now();
    const opened = await deps.database.transaction(async (db) => {
      const email = await consumeSignUpTicket(db, deps.hash("sign-in-link", token), now);
      if (email === undefined) throw linkUsed();
      const proven = await afterProof(db, { email, userAgent, by: "link", now });
      if (proven !== "closed" && proven.kind !== "plan-required")
        await recordSignInWay(db, { result: proven, way: "link", hash: deps.hash });
      return proven;
    });
    if (opened === "closed") throw signUpClosed();
    return opened;
  };
};
