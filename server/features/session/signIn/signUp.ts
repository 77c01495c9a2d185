import { mailboxKey } from "../../../../core/mail/emailAddress.ts";
import { isSameMailbox } from "../../../../core/mail/mailboxName.ts";
import type { Tier } from "../../../../core/tiers/tier.ts";
import type { ServerContext } from "../../../context/serverContext.ts";
import type { SignUpPolicy } from "../../../platform/config/signUpSettings.ts";
import { fieldError, UseCaseError } from "../../../platform/errors/useCaseError.ts";
import type { Db } from "../../../platform/store/database.ts";
import { newId } from "../../../platform/store/id.ts";
import {
  findUser,
  findUserByMailbox,
  hasNoUsers,
  insertUser,
  type UserRow,
} from "../../../platform/store/users.ts";
import { ensureDestination } from "../../destinations/destinationQueries.ts";
import { consumeSignUpTicket, findSignUpTicketEmail } from "../../signInCodes/signInQueries.ts";
import type { CompleteSignIn, SignInResult } from "../completeSignIn.ts";
import { isOfMailbox, type PendingSignOn } from "../identities/pendingSignOn.ts";
import { consumeInvitation } from "./invitationQueries.ts";
import { admissionOf, signUpClosed } from "./signUpPolicy.ts";

export interface SignUpDeps extends Pick<ServerContext, "database" | "hash" | "clock" | "random"> {
  readonly policy: SignUpPolicy;
  /** The addresses of operators; empty makes the first account one. */
  readonly operators: readonly string[];
  readonly defaultTier: Tier;
  /** Rejects with 402 unless the plan of the mailbox is paid; null without billing. */
  readonly checkPayment: ((email: string, checkoutSessionId: string | undefined) => Promise<void>) | null;
  /** Applies the plan that the mailbox has paid to a new user, in the same transaction. */
  readonly applyPaidPlan: (db: Db, user: UserRow, now: number) => Promise<void>;
  readonly completeSignIn: CompleteSignIn;
}

export interface SignUpRequest {
  readonly ticket: string;
  readonly tier: Tier;
  /** The id of the checkout that paid for the plan. */
  readonly checkoutSessionId?: string | undefined;
  /** The token of an invitation. */
  readonly invitation?: string | undefined;
  readonly userAgent: string;
  /** The identity that the browser has come with from the provider. */
  readonly admitted: PendingSignOn | null;
}

export const signUpExpired = (): UseCaseError =>
  new UseCaseError("unauthenticated", "Your sign-up has expired. Ask for a new code.");

const invitationNeeded = (): UseCaseError =>
  fieldError("forbidden", "invitation", "New accounts need an invitation here. Ask the operator for a link.");
const invitationUsed = (): UseCaseError =>
  fieldError(
    "forbidden",
    "invitation",
    "This invitation was used already or has expired. Ask for another one.",
  );

/** The conditions on which a new account is admitted. */
interface Admission {
  readonly email: string;
  readonly invitation: string | undefined;
  readonly admitted: PendingSignOn | null;
  readonly now: number;
}

/** Consumes the invitation where one is needed; throws a 403 without a valid one. */
const admit = async (
  db: Db,
  { policy, hash }: Pick<SignUpDeps, "policy" | "hash">,
  { email, invitation, admitted, now }: Admission,
): Promise<void> => {
  if (isOfMailbox(admitted, email) && admitted.isAdmitted) return;
  const admission = admissionOf(policy, email);
  if (admission === "closed") throw signUpClosed();
  if (admission === "open") return;
  if (invitation === undefined || invitation === "") throw invitationNeeded();
  if (!(await consumeInvitation(db, hash("invitation", invitation), now))) throw invitationUsed();
};

/**
 * Creates an account for a proven mailbox and a chosen plan, signs the user in, and confirms the address as a
 * destination (D36). A paid plan must be paid before (402); without billing only Free can be chosen (D38). A
 * plan already paid for the mailbox applies whatever was chosen. A ticket works once; two tickets of one
 * mailbox lead to one account, which may require its second factor. The first account becomes an operator,
 * unless the operators are named.
 * Where new accounts need an invitation, it is consumed (403 without one), unless OIDC_ALLOW names the identity.
 */
export const createSignUp =
  (deps: SignUpDeps) =>
  async (request: SignUpRequest): Promise<SignInResult> => {
    const { database, completeSignIn, hash, clock, random, defaultTier, checkPayment, applyPaidPlan } = deps;
    const { operators } = deps;
    const { ticket, tier, checkoutSessionId, invitation, userAgent, admitted } = request;
    if (tier !== "free" && !checkPayment)
      throw new UseCaseError(
        "unpaid",
        "Payment is not set up on this server. Choose the Free plan, or ask the operator.",
      );
    const now = clock.now();
    if (tier !== "free" && checkPayment) {
      const payerEmail = await findSignUpTicketEmail(database.db, hash("ticket", ticket), now);
      if (payerEmail === undefined) throw signUpExpired();
      await checkPayment(payerEmail, checkoutSessionId);
    }
    return database.transaction(async (db) => {
      const email = await consumeSignUpTicket(db, hash("ticket", ticket), now);
      if (email === undefined) throw signUpExpired();
      const emailKey = mailboxKey(email);
      const known = await findUserByMailbox(db, emailKey);
      if (!known) await admit(db, deps, { email, invitation, admitted, now });
      const isOperator =
        operators.length > 0 ? operators.some((one) => isSameMailbox(one, email)) : await hasNoUsers(db);
      const inserted =
        known ??
        (await insertUser(db, {
          id: newId(random),
          email,
          emailKey,
          tier: defaultTier,
          isOperator,
          now,
        }));
      const user = inserted ?? (await findUserByMailbox(db, emailKey));
      if (!user) throw new Error("the user was neither inserted nor found");
      await applyPaidPlan(db, user, now);
      const destination = { id: newId(random), userId: user.id, email, emailKey, confirmedAt: now, now };
      await ensureDestination(db, destination);
      return completeSignIn(db, (await findUser(db, user.id)) ?? user, userAgent, { kind: "code" });
    });
  };
