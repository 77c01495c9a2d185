import { type EmailAddress, mailboxKey } from "../../../../core/mail/emailAddress.ts";
import { ticketLifetimeMs } from "../../../../core/session/oneTimeCode.ts";
import type { ServerContext } from "../../../context/serverContext.ts";
import type { SignUpPolicy } from "../../../platform/config/signUpSettings.ts";
import { newSecret } from "../../../platform/ops/keyedHash.ts";
import type { Db } from "../../../platform/store/database.ts";
import { findUserByMailbox } from "../../../platform/store/users.ts";
import { insertSignUpTicket } from "../../signInCodes/signInQueries.ts";
import type { CompleteSignIn, SignInResult } from "../completeSignIn.ts";
import { admissionOf } from "./signUpPolicy.ts";

/** The next step for a proven mailbox: a sign-in, or a sign-up ticket for a new user (D36). */
export type ProvenMailbox =
  | SignInResult
  | {
      readonly kind: "plan-required";
      readonly ticket: string;
      /** True if the new user needs an invitation. */
      readonly needsInvitation: boolean;
    };

export interface ProvenMailboxDeps extends Pick<ServerContext, "hash" | "random"> {
  readonly policy: SignUpPolicy;
  readonly completeSignIn: CompleteSignIn;
}

/** The proof of a mailbox. */
export interface MailboxProof {
  readonly email: EmailAddress;
  readonly userAgent: string;
  /** The means of the proof: a mailed code, or a link from the operator. */
  readonly by: "code" | "link";
  readonly now: number;
}

/** Creates the function that goes on in the transaction of the proof; "closed" for a new user where sign-up is. */
export const createAfterProof =
  ({ policy, completeSignIn, hash, random }: ProvenMailboxDeps) =>
  async (db: Db, { email, userAgent, by, now }: MailboxProof): Promise<ProvenMailbox | "closed"> => {
    const user = await findUserByMailbox(db, mailboxKey(email));
    if (user) return completeSignIn(db, user, userAgent, { kind: by === "code" ? "code" : "other" });
    const admission = admissionOf(policy, email);
    if (admission === "closed") return "closed";
    const ticket = newSecret(random);
    const expiresAt = now + ticketLifetimeMs;
    await insertSignUpTicket(db, { tokenHash: hash("ticket", ticket), email, expiresAt });
    return { kind: "plan-required", ticket, needsInvitation: admission === "invite" };
  };
