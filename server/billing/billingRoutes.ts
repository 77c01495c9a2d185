import type { FastifyInstance } from "fastify";
import { mailboxKey } from "../../core/mail/emailAddress.ts";
import {
  openPortal,
  settlePayment,
  startCheckout,
  startSignUpCheckout,
} from "../../core/payments/billingEndpoints.ts";
import type { Clock } from "../../core/ports/clock.ts";
import { perMinute } from "../http/limits.ts";
import { Refusal } from "../http/refusal.ts";
import { type Door, route, routeSignedIn } from "../http/route.ts";
import type { KeyedHash } from "../identity/keyedHash.ts";
import { signUpExpired } from "../identity/signUp.ts";
import { userOf } from "../identity/user.ts";
import type { Database } from "../store/database.ts";
import { ticketEmail } from "../store/signUpTickets.ts";
import type { Billing } from "./billing.ts";

export interface BillingRouteParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly hash: KeyedHash;
  readonly door: Door;
  /** null: nothing is sold here. */
  readonly billing: Billing | null;
}

const notSetUp = (): Refusal =>
  new Refusal(402, "Payment is not set up on this server. Ask whoever runs it.");

/** The calls about paying (D60). Without a provider they say that payment is not set up (D38). */
export const billingRoutes =
  ({ database, clock, hash, door, billing }: BillingRouteParts) =>
  (fastify: FastifyInstance): void => {
    const selling = (): Billing => {
      if (billing === null) throw notSetUp();
      return billing;
    };
    const limited = { perMinute: perMinute.signIn };

    routeSignedIn(
      fastify,
      door,
      startCheckout,
      ({ caller, body }) => selling().checkout(caller.userId, body),
      limited,
    );
    routeSignedIn(
      fastify,
      door,
      openPortal,
      async ({ caller, body }) => ({ url: await selling().portal(caller.userId, body.purpose) }),
      limited,
    );
    routeSignedIn(
      fastify,
      door,
      settlePayment,
      async ({ caller }) => {
        const { subscription } = userOf(await selling().settle(caller.userId));
        return { tier: subscription.tier, status: subscription.status };
      },
      limited,
    );
    route(
      fastify,
      startSignUpCheckout,
      async ({ body }) => {
        const email = await ticketEmail(database.db, hash("ticket", body.tempToken), clock.now());
        if (email === undefined) throw signUpExpired();
        const opened = await selling().signUpCheckout({ email, emailKey: mailboxKey(email) }, body);
        return opened ?? { paid: true as const };
      },
      limited,
    );
  };
