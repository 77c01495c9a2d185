import Stripe from "stripe";
import type { BillingConfig } from "../../platform/config/config.ts";
import { type PaymentProvider, PaymentProviderError } from "./paymentProvider.ts";
import { parseCheckoutSession, parseEvent, parseSubscription } from "./stripeObjects.ts";

/** A request without an answer is repeated twice. */
const timeoutMs = 10_000;
const maxRetries = 2;
/** The maximum age of a webhook signature in seconds (docs.stripe.com/webhooks). */
const signatureMaxAgeS = 300;
/** The lifetime of a payment form in seconds; Stripe allows no less than 30 minutes. */
const formLifetimeS = 31 * 60;
const secondMs = 1_000;

const toStripeConfig = (base: string | null): Stripe.StripeConfig => {
  if (base === null) return {};
  const { hostname, port, protocol } = new URL(base);
  const isPlain = protocol === "http:";
  return { host: hostname, port: port || (isPlain ? 80 : 443), protocol: isPlain ? "http" : "https" };
};

const isMissing = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeInvalidRequestError && error.code === "resource_missing";

/** Converts an error without its message, which may quote a key or an address. */
const toProviderError = (error: unknown): PaymentProviderError => {
  if (!(error instanceof Stripe.errors.StripeError)) return new PaymentProviderError("unreadable answer");
  return new PaymentProviderError(`${error.type} ${error.code ?? ""} ${error.statusCode ?? ""}`.trim());
};

const withStripeErrors = async <A>(call: () => Promise<A>): Promise<A> => {
  try {
    return await call();
  } catch (error) {
    throw toProviderError(error);
  }
};

const orMissing = async <A, B>(call: () => Promise<A>, missing: B): Promise<A | B> => {
  try {
    return await call();
  } catch (error) {
    if (isMissing(error)) return missing;
    throw error;
  }
};

/** Creates the payment provider for Stripe. Its pages link back to `returnTo`. */
export const createStripeProvider = (
  config: BillingConfig,
  returnTo: string,
  now: () => number,
): PaymentProvider => {
  const stripe = new Stripe(config.secretKey, {
    ...toStripeConfig(config.apiBase),
    timeout: timeoutMs,
    maxNetworkRetries: maxRetries,
    telemetry: false,
  });

  const portal = async (customer: string, subscription: string | null): Promise<string> => {
    const page = { customer, return_url: returnTo };
    if (subscription === null) return (await stripe.billingPortal.sessions.create(page)).url;
    const change = { type: "subscription_update" as const, subscription_update: { subscription } };
    return stripe.billingPortal.sessions
      .create({ ...page, flow_data: change })
      .catch((error: unknown) => {
        // The portal configuration may not allow plan changes; the plain portal page works in that case.
        if (error instanceof Stripe.errors.StripeInvalidRequestError)
          return stripe.billingPortal.sessions.create(page);
        throw error;
      })
      .then(({ url }) => url);
  };

  return {
    createCustomer: ({ email, key }) =>
      withStripeErrors(
        async () => (await stripe.customers.create({ email }, { idempotencyKey: `customer ${key}` })).id,
      ),
    subscriptions: (customer) =>
      withStripeErrors(() =>
        orMissing(async () => {
          const { data } = await stripe.subscriptions.list({ customer, status: "all", limit: 100 });
          return data.map(parseSubscription);
        }, null),
      ),
    closeCheckouts: (customer) =>
      withStripeErrors(async () => {
        const { data } = await stripe.checkout.sessions.list({ customer, status: "open", limit: 100 });
        for (const { id } of data)
          await stripe.checkout.sessions.expire(id).catch((error: unknown) => {
            // The form was paid or expired at the same moment.
            if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
          });
      }),
    openCheckout: ({ customerId, priceId, mode }) =>
      withStripeErrors(async () => {
        const session = await stripe.checkout.sessions.create({
          ui_mode: "embedded_page",
          redirect_on_completion: "never",
          mode,
          customer: customerId,
          line_items: [{ price: priceId, quantity: 1 }],
          expires_at: Math.floor(now() / secondMs) + formLifetimeS,
        });
        if (session.client_secret === null) throw new Error("a checkout session without its secret");
        return { clientSecret: session.client_secret, checkoutSessionId: session.id };
      }),
    checkoutSession: (id) =>
      withStripeErrors(() =>
        orMissing(async () => parseCheckoutSession(await stripe.checkout.sessions.retrieve(id)), null),
      ),
    portal: (customerId, subscriptionId) => withStripeErrors(() => portal(customerId, subscriptionId)),
    deleteCustomer: (customerId) =>
      withStripeErrors(() => orMissing(async () => void (await stripe.customers.del(customerId)), undefined)),
    readEvent: (body, signature, at) => {
      try {
        const { webhooks } = stripe;
        const { webhookSecret } = config;
        return parseEvent(
          webhooks.constructEvent(body, signature, webhookSecret, signatureMaxAgeS, undefined, at),
        );
      } catch {
        return null;
      }
    },
  };
};
