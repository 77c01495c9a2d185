import { mailboxKey } from "../../core/mail/emailAddress.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { Random } from "../../core/ports/random.ts";
import { type OneTimeCode, probeCode } from "../../core/session/oneTimeCode.ts";
import { Refusal } from "../http/refusal.ts";
import type { Database } from "../store/database.ts";
import { consumeCode, countTry } from "../store/loginCodes.ts";
import { insertTicket, ticketEmail } from "../store/signUpTickets.ts";
import { userOfMailbox } from "../store/users.ts";
import type { Admit, Admitted } from "./admit.ts";
import { type KeyedHash, sameHash } from "./keyedHash.ts";
import { ticketForMs, triesPerCode } from "./lifetimes.ts";
import { newSecret } from "./secret.ts";

/** What the right code is good for: what its owner is admitted to, or for somebody new a ticket to sign up with (D36). */
export type Verified = Admitted | { readonly kind: "plan-required"; readonly ticket: string };

export interface VerifyCodeParts {
  readonly database: Database;
  readonly admit: Admit;
  readonly hash: KeyedHash;
  readonly clock: Clock;
  readonly random: Random;
}

export interface CodeTry {
  readonly email: string;
  readonly code: OneTimeCode;
  /** Of the browser's sign-up cookie. */
  readonly ticket: string | undefined;
  readonly userAgent: string;
}

const wrongCode = (): Refusal =>
  new Refusal(401, "Invalid verification code. Please check it, or ask for a new one.");

/**
 * Exchanges an address and its code. A code works once, for 10 minutes, with at most 5 tries, each counted before the
 * code is compared. The probe is no code: it is refused like a wrong one, except in the browser whose ticket proves the
 * same mailbox (D35). Rejects with a 401 `Refusal`.
 */
export const makeVerifyCode = ({ database, admit, hash, clock, random }: VerifyCodeParts) => {
  const probe = async (emailKey: string, ticket: string | undefined): Promise<Verified> => {
    const proven = ticket && (await ticketEmail(database.db, hash("ticket", ticket), clock.now()));
    if (!ticket || !proven || mailboxKey(proven) !== emailKey) throw wrongCode();
    return { kind: "plan-required", ticket };
  };

  return async ({ email, code, ticket, userAgent }: CodeTry): Promise<Verified> => {
    const emailKey = mailboxKey(email);
    if (code === probeCode) return probe(emailKey, ticket);
    const now = clock.now();
    const tried = hash("code", emailKey, code);
    const expected = await countTry(database.db, emailKey, now, triesPerCode);
    if (!sameHash(tried, expected ?? "")) throw wrongCode();

    return database.transaction(async (db): Promise<Verified> => {
      if (!(await consumeCode(db, emailKey, tried))) throw wrongCode();
      const user = await userOfMailbox(db, emailKey);
      if (user) return admit(db, user, userAgent);
      const fresh = newSecret(random);
      await insertTicket(db, { tokenHash: hash("ticket", fresh), email, expiresAt: now + ticketForMs });
      return { kind: "plan-required", ticket: fresh };
    });
  };
};
