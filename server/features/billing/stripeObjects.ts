import * as t from "io-ts";
import type { BillingEvent, CheckoutSession, Subscription } from "./paymentProvider.ts";

// The used parts of Stripe objects (docs.stripe.com/api); other properties are ignored.

const Id = t.union([t.string, t.type({ id: t.string })]);
const idOf = (id: t.TypeOf<typeof Id>): string => (typeof id === "string" ? id : id.id);
const StripeTime = t.union([t.number, t.null]);

const StripeSubscription = t.intersection([
  t.type({
    id: t.string,
    status: t.string,
    items: t.type({
      data: t.array(
        t.intersection([
          t.type({ price: t.type({ id: t.string }) }),
          t.partial({ current_period_end: t.number }),
        ]),
      ),
    }),
  }),
  t.partial({ cancel_at: StripeTime, cancel_at_period_end: t.boolean }),
]);

const StripeSession = t.intersection([
  t.type({ status: t.union([t.string, t.null]), payment_status: t.string }),
  t.partial({ customer: t.union([Id, t.null]) }),
]);

const StripeEvent = t.type({
  id: t.string,
  data: t.type({
    object: t.intersection([
      t.type({ object: t.string }),
      t.partial({ id: t.string, customer: t.union([Id, t.null]) }),
    ]),
  }),
});

/** Throws an error that does not quote the external data. */
const decode = <A>(what: string, codec: t.Type<A, unknown, unknown>, unknown: unknown): A => {
  const result = codec.decode(unknown);
  if (result._tag === "Left") throw new Error(`an unreadable ${what}`);
  return result.right;
};

const secondMs = 1_000;

/** Decodes a subscription of Stripe. */
export const parseSubscription = (unknown: unknown): Subscription => {
  const { id, status, items, cancel_at, cancel_at_period_end } = decode(
    "subscription",
    StripeSubscription,
    unknown,
  );
  const ends = items.data.flatMap(({ current_period_end }) => current_period_end ?? []);
  const periodEnd = cancel_at_period_end && ends.length > 0 ? Math.max(...ends) : null;
  const endsAt = cancel_at ?? periodEnd;
  return {
    id,
    status,
    priceIds: items.data.map(({ price }) => price.id),
    endsAt: endsAt === null ? null : endsAt * secondMs,
  };
};

/** Decodes a Checkout session of Stripe. */
export const parseCheckoutSession = (unknown: unknown): CheckoutSession => {
  const { status, payment_status, customer } = decode("checkout session", StripeSession, unknown);
  return {
    customerId: customer ? idOf(customer) : null,
    isPaid: status === "complete" && payment_status !== "unpaid",
  };
};

/** Decodes an event of Stripe. */
export const parseEvent = (unknown: unknown): BillingEvent => {
  const { id, data } = decode("event", StripeEvent, unknown);
  const { object, customer, id: own } = data.object;
  if (object === "customer") return { id, customerId: own ?? null };
  return { id, customerId: customer ? idOf(customer) : null };
};
