import type { FastifyInstance } from "fastify";
import {
  openPortal,
  settlePayment,
  startCheckout,
  startSignUpCheckout,
} from "../../../core/billing/billingEndpoints.ts";
import { mailboxKey } from "../../../core/mail/emailAddress.ts";
import type { FeatureContext } from "../../context/feature.ts";
import { UseCaseError } from "../../platform/errors/useCaseError.ts";
import { perMinute } from "../../platform/http/httpLimits.ts";
import { route, routeSignedIn } from "../../platform/http/route.ts";
import { signUpExpired } from "../session/signIn/signUp.ts";
import { toUser } from "../session/user.ts";
import { findSignUpTicketEmail } from "../signInCodes/signInQueries.ts";
import type { Billing } from "./billing.ts";

export interface BillingRouteDeps extends Pick<FeatureContext, "database" | "clock" | "hash" | "authGuard"> {
  /** Null without billing. */
  readonly billing: Billing | null;
}

const notSetUp = (): UseCaseError =>
  new UseCaseError("unpaid", "Payment is not set up on this server. Ask the operator.");

/** Registers the billing routes (D60). Without a payment provider they answer that payment is not set up (D38). */
export const billingRoutes =
  ({ database, clock, hash, authGuard, billing }: BillingRouteDeps) =>
  (fastify: FastifyInstance): void => {
    const getBilling = (): Billing => {
      if (billing === null) throw notSetUp();
      return billing;
    };
    const limited = { perMinute: perMinute.signIn };
    const ownTransactions = { ...limited, answerStored: "afterwards" } as const;

    routeSignedIn(
      fastify,
      authGuard,
      startCheckout,
      ({ auth, body }) => getBilling().checkout(auth.userId, body),
      ownTransactions,
    );
    routeSignedIn(
      fastify,
      authGuard,
      openPortal,
      async ({ auth, body }) => ({ url: await getBilling().portal(auth.userId, body.purpose) }),
      ownTransactions,
    );
    routeSignedIn(
      fastify,
      authGuard,
      settlePayment,
      async ({ auth }) => {
        const { subscription } = toUser(await getBilling().syncPaidPlan(auth.userId));
        return { tier: subscription.tier, status: subscription.status };
      },
      ownTransactions,
    );
    route(
      fastify,
      startSignUpCheckout,
      async ({ body }) => {
        const email = await findSignUpTicketEmail(database.db, hash("ticket", body.tempToken), clock.now());
        if (email === undefined) throw signUpExpired();
        const form = await getBilling().signUpCheckout({ email, emailKey: mailboxKey(email) }, body);
        return form ?? { paid: true as const };
      },
      limited,
    );
  };

const notSigned = (): UseCaseError =>
  new UseCaseError("invalid", "The signature of this message is missing, wrong or too old.");

/**
 * Registers POST /webhooks/stripe (D60). The raw body is needed for the signature check. Answers 200 only after
 * all effects are stored; Stripe resends the message after any other status.
 */
export const webhookRoute =
  (billing: Billing) =>
  (fastify: FastifyInstance): void => {
    fastify.removeAllContentTypeParsers();
    fastify.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
    fastify.post("/webhooks/stripe", async ({ headers, body }) => {
      const signature = headers["stripe-signature"];
      const isSigned = typeof signature === "string" && body instanceof Uint8Array;
      if (!isSigned || !(await billing.handleWebhook(body, signature))) throw notSigned();
      return { received: true };
    });
  };
