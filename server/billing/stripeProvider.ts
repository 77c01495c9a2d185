import Stripe from "stripe";
import type { BillingConfig } from "../config/billing.ts";
import { type Provider, ProviderFailure } from "./provider.ts";
import { checkoutSessionOf, eventOf, subscriptionOf } from "./stripeObjects.ts";

/** How long an answer of Stripe's is waited for; a lost one is asked for again, twice. */
const answerWithinMs = 10_000;
const repeats = 2;
/** A signature older than this is refused, in seconds (docs.stripe.com/webhooks). */
const signatureForS = 300;
/** How long a payment form can be used, in seconds; Stripe allows no less than half an hour. */
const formForS = 31 * 60;
const secondMs = 1_000;

const address = (base: string | null): Stripe.StripeConfig => {
  if (base === null) return {};
  const { hostname, port, protocol } = new URL(base);
  const isPlain = protocol === "http:";
  return { host: hostname, port: port || (isPlain ? 80 : 443), protocol: isPlain ? "http" : "https" };
};

const isMissing = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeInvalidRequestError && error.code === "resource_missing";

/** Stripe's words stay out of it: they may quote a key or an address. */
const failureOf = (error: unknown): ProviderFailure => {
  if (!(error instanceof Stripe.errors.StripeError)) return new ProviderFailure("unreadable answer");
  return new ProviderFailure(`${error.type} ${error.code ?? ""} ${error.statusCode ?? ""}`.trim());
};

const asking = async <A>(ask: () => Promise<A>): Promise<A> => {
  try {
    return await ask();
  } catch (error) {
    throw failureOf(error);
  }
};

const orMissing = async <A, B>(ask: () => Promise<A>, missing: B): Promise<A | B> => {
  try {
    return await ask();
  } catch (error) {
    if (isMissing(error)) return missing;
    throw error;
  }
};

/** Stripe as the payment provider. `returnTo`: where its pages lead back to. */
export const makeStripeProvider = (config: BillingConfig, returnTo: string, now: () => number): Provider => {
  const stripe = new Stripe(config.secretKey, {
    ...address(config.apiBase),
    timeout: answerWithinMs,
    maxNetworkRetries: repeats,
    telemetry: false,
  });

  const portal = async (customer: string, subscription: string | null): Promise<string> => {
    const page = { customer, return_url: returnTo };
    if (subscription === null) return (await stripe.billingPortal.sessions.create(page)).url;
    const change = { type: "subscription_update" as const, subscription_update: { subscription } };
    return stripe.billingPortal.sessions
      .create({ ...page, flow_data: change })
      .catch((error: unknown) => {
        // The operator's portal may not let plans be changed: it says so itself.
        if (error instanceof Stripe.errors.StripeInvalidRequestError)
          return stripe.billingPortal.sessions.create(page);
        throw error;
      })
      .then(({ url }) => url);
  };

  return {
    createCustomer: ({ email, key }) =>
      asking(
        async () => (await stripe.customers.create({ email }, { idempotencyKey: `customer ${key}` })).id,
      ),
    subscriptions: (customer) =>
      asking(() =>
        orMissing(async () => {
          const { data } = await stripe.subscriptions.list({ customer, status: "all", limit: 100 });
          return data.map(subscriptionOf);
        }, null),
      ),
    closeCheckouts: (customer) =>
      asking(async () => {
        const { data } = await stripe.checkout.sessions.list({ customer, status: "open", limit: 100 });
        for (const { id } of data)
          await stripe.checkout.sessions.expire(id).catch((error: unknown) => {
            // Paid or expired in this very moment.
            if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
          });
      }),
    openCheckout: ({ customerId, priceId, mode }) =>
      asking(async () => {
        const session = await stripe.checkout.sessions.create({
          ui_mode: "embedded_page",
          redirect_on_completion: "never",
          mode,
          customer: customerId,
          line_items: [{ price: priceId, quantity: 1 }],
          expires_at: Math.floor(now() / secondMs) + formForS,
        });
        if (session.client_secret === null) throw new Error("a checkout session without its secret");
        return { clientSecret: session.client_secret, checkoutSessionId: session.id };
      }),
    checkoutSession: (id) =>
      asking(() =>
        orMissing(async () => checkoutSessionOf(await stripe.checkout.sessions.retrieve(id)), null),
      ),
    portal: (customerId, subscriptionId) => asking(() => portal(customerId, subscriptionId)),
    deleteCustomer: (customerId) =>
      asking(() => orMissing(async () => void (await stripe.customers.del(customerId)), undefined)),
    readEvent: (body, signature, at) => {
      try {
        const { webhooks } = stripe;
        const { webhookSecret } = config;
        return eventOf(webhooks.constructEvent(body, signature, webhookSecret, signatureForS, undefined, at));
      } catch {
        return null;
      }
    },
  };
};
