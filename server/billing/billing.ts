import type { Checkout } from "../../core/payments/billingEndpoints.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { Random } from "../../core/ports/random.ts";
import type { Tier } from "../../core/tiers/tier.ts";
import type { BillingConfig } from "../config/billing.ts";
import { Refusal } from "../http/refusal.ts";
import { knownUser } from "../identity/knownUser.ts";
import { customerOfMailbox } from "../store/billingCustomers.ts";
import { isEventKnown } from "../store/billingEvents.ts";
import type { Database } from "../store/database.ts";
import type { EventFeed } from "../store/events.ts";
import type { UserRow } from "../store/users.ts";
import { type Buyer, makeCheckout, makeCustomers, paidAlready, type Wanted } from "./checkout.ts";
import { makeTierOfPrice } from "./paidPlan.ts";
import { type Provider, ProviderFailure } from "./provider.ts";
import { makeSettle } from "./settle.ts";
import { makeSignUpPayment } from "./signUpPayment.ts";

/** Plans that are paid. Whatever the provider fails at is a 502 that says so. */
export interface Billing {
  /** Opens a payment form for a user; 409 for one who pays already. */
  readonly checkout: (userId: string, wanted: Wanted) => Promise<Checkout>;
  /** The same for somebody without an account; null: this mailbox has paid before. */
  readonly signUpCheckout: (buyer: Omit<Buyer, "userId">, wanted: Wanted) => Promise<Checkout | null>;
  /** Rejects with 402 unless the plan of somebody who signs up is paid. */
  readonly signUpPayment: (email: string, checkoutSessionId: string | undefined) => Promise<void>;
  /** The address of the billing page. */
  readonly portal: (userId: string, purpose: "upgrade" | "manage") => Promise<string>;
  /** Asks the provider what a user pays, and answers the user as it is then. */
  readonly settle: (userId: string) => Promise<UserRow>;
  /** Takes a signed message of the provider; false when it is not the provider's. */
  readonly hear: (body: Uint8Array, signature: string) => Promise<boolean>;
}

export interface BillingParts {
  readonly config: BillingConfig;
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly feed: Pick<EventFeed, "nudge">;
  readonly provider: Provider;
  /** The tier of everybody who pays for none. */
  readonly everybodys: Tier;
  /** Told why the provider failed, in words without secrets. */
  readonly failed: (reason: string) => void;
}

const noAnswer = (): Refusal =>
  new Refusal(502, "The payment provider does not answer. Please try again in a moment");

export const makeBilling = (parts: BillingParts): Billing => {
  const { config, database, clock, provider, failed } = parts;
  const { db } = database;
  const settle = makeSettle({ ...parts, tierOf: makeTierOfPrice(config) });
  const checkout = makeCheckout({ ...parts, settle, prices: config.prices });
  const customers = makeCustomers(parts);
  const signUpPayment = makeSignUpPayment({ database, provider, settle });

  const answered = async <A>(work: () => Promise<A>): Promise<A> => {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error;
      failed(error.message);
      throw noAnswer();
    }
  };
  const buyerOf = async (userId: string): Promise<Buyer> => {
    const user = await knownUser(db, userId);
    return { email: user.email, emailKey: user.email_key, userId };
  };

  return {
    checkout: (userId, wanted) =>
      answered(async () => {
        const buyer = await buyerOf(userId);
        const opened = await checkout(buyer, wanted);
        if (opened) return opened;
        throw paidAlready((await customerOfMailbox(db, buyer.emailKey))?.tier ?? "");
      }),
    signUpCheckout: (buyer, wanted) => answered(() => checkout({ ...buyer, userId: null }, wanted)),
    signUpPayment: (email, session) => answered(() => signUpPayment(email, session)),
    portal: (userId, purpose) =>
      answered(async () => {
        const { customer_id, subscription_id } = await customers(await buyerOf(userId));
        return provider.portal(customer_id, purpose === "upgrade" ? subscription_id : null);
      }),
    settle: (userId) =>
      answered(async () => {
        const { emailKey } = await buyerOf(userId);
        const customer = await customerOfMailbox(db, emailKey);
        if (customer?.customer_id) await settle(customer.customer_id);
        return knownUser(db, userId);
      }),
    hear: (body, signature) =>
      answered(async () => {
        const event = provider.readEvent(body, signature, clock.now());
        if (!event) return false;
        if (event.customerId !== null && !(await isEventKnown(db, event.id)))
          await settle(event.customerId, event.id);
        return true;
      }),
  };
};
