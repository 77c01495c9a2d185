import type { Account } from "../../../../core/session/user.ts";
import type { StripeStandIn, Webhook } from "../../../support/stripeStandIn.ts";
import type { Client } from "../../support/client.ts";
import type { TestServer } from "../../support/startServer.ts";

/** Posts an event as Stripe does; returns the HTTP status. */
export const post = async (origin: string, { body, signature }: Webhook): Promise<number> => {
  const { status } = await fetch(`${origin}/webhooks/stripe`, {
    method: "POST",
    headers: { "content-type": "application/json; charset=utf-8", "stripe-signature": signature },
    body,
  });
  return status;
};

/** Posts all pending events; returns the HTTP statuses. */
export const postAll = (server: TestServer, stripe: StripeStandIn): Promise<readonly number[]> =>
  Promise.all(stripe.takeWebhooks().map((webhook) => post(server.origin, webhook)));

export interface OpenedCheckout {
  readonly clientSecret: string;
  readonly checkoutSessionId: string;
}

/** Buys a plan as the app does and delivers Stripe's events; returns the id of the subscription. */
export const buy = async (
  server: TestServer,
  stripe: StripeStandIn,
  user: Client,
  priceId: string,
): Promise<string> => {
  const opened = await user.call("POST", "/billing/checkout", { body: { priceId, mode: "subscription" } });
  if (opened.status !== 200) throw new Error(opened.text);
  const id = stripe.pay((opened.json as OpenedCheckout).checkoutSessionId);
  await postAll(server, stripe);
  return id;
};

export const accountOf = async (user: Client): Promise<Account> =>
  (await user.call("GET", "/account")).json as Account;

/** Returns the messages of a user's notifications, newest first. */
export const noticesOf = async (user: Client): Promise<readonly string[]> => {
  const { notifications } = (await user.call("GET", "/notifications?limit=50")).json as {
    notifications: { message: string }[];
  };
  return notifications.map(({ message }) => message);
};
