import { type MailboxKey, mailboxKey } from "../../../../core/mail/emailAddress.ts";
import { isSameMailbox, mailboxName } from "../../../../core/mail/mailboxName.ts";
import { type OneTimeCode, probeCode } from "../../../../core/session/oneTimeCode.ts";
import type { ServerContext } from "../../../context/serverContext.ts";
import { UseCaseError } from "../../../platform/errors/useCaseError.ts";
import { findUserByMailbox } from "../../../platform/store/users.ts";
import { triesPerCode } from "../../signInCodes/codeLimits.ts";
import type { CodeNetwork } from "../../signInCodes/codeNetwork.ts";
import { consumeLoginCode, findSignUpTicketEmail, tryLoginCode } from "../../signInCodes/signInQueries.ts";
import type { WrongCodes } from "../../signInCodes/wrongCodes.ts";
import { createAfterProof, type ProvenMailbox, type ProvenMailboxDeps } from "./provenMailbox.ts";
import { codeKeyOf } from "./requestCode.ts";
import { admissionOf, signUpClosed } from "./signUpPolicy.ts";
import { wrongCode } from "./wrongCode.ts";

export interface VerifyCodeDeps extends ProvenMailboxDeps, Pick<ServerContext, "database" | "clock"> {
  readonly wrongCodes: WrongCodes;
}

export interface CodeAttempt {
  readonly email: string;
  readonly code: OneTimeCode;
  readonly ticket: string | undefined;
  readonly userAgent: string;
  /** The id of a browser in which the mailbox has signed in before; null for others. */
  readonly browser: string | null;
  readonly network: CodeNetwork;
}

const burntCode = (): UseCaseError =>
  new UseCaseError(
    "unauthenticated",
    `This code no longer works after ${triesPerCode} wrong tries. Ask for a new one.`,
  );

/**
 * Exchanges an address and its code for a sign-in. A code works once, for 10 minutes, with at most 5 tries,
 * each counted before the comparison. The probe code is refused like a wrong code unless the browser's ticket
 * proves the same mailbox (D35). Rejects as "unauthenticated", and as "forbidden" for a new user when
 * sign-up is closed.
 */
export const createVerifyCode = (deps: VerifyCodeDeps) => {
  const { policy, database, wrongCodes, hash, clock } = deps;
  const afterProof = createAfterProof(deps);

  const probe = async (emailKey: MailboxKey, ticket: string | undefined): Promise<ProvenMailbox> => {
    const proven = ticket && (await findSignUpTicketEmail(database.db, hash("ticket", ticket), clock.now()));
    if (!ticket || !proven || !isSameMailbox(proven, emailKey)) throw wrongCode();
    return { kind: "plan-required", ticket, needsInvitation: admissionOf(policy, proven) === "invite" };
  };

  return async ({
    email,
    code,
    ticket,
    userAgent,
    browser,
    network,
  }: CodeAttempt): Promise<ProvenMailbox> => {
    const emailKey = mailboxKey(mailboxName(email));
    if (code === probeCode) return probe(emailKey, ticket);
    const now = clock.now();
    const tried = hash("code", emailKey, code);
    const codeKey = codeKeyOf(emailKey, browser);
    const guess = { account: emailKey, client: browser ?? network.name, isKnown: browser !== null };
    await wrongCodes.assertMayTry(guess);
    const attempt = await tryLoginCode(database.db, codeKey, tried, now);
    if (attempt === "wrong" || attempt === "burnt")
      await wrongCodes.record(guess, (db) => findUserByMailbox(db, mailboxKey(email)));
    if (attempt === "burnt" || attempt === "used-up") throw burntCode();
    if (attempt !== "right") throw wrongCode();

    const verified = await database.transaction(async (db) => {
      if (!(await consumeLoginCode(db, codeKey, tried))) throw wrongCode();
      return afterProof(db, { email, userAgent, by: "code", now });
    });
    if (verified === "closed") throw signUpClosed();
    return verified;
  };
};
