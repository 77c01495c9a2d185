import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import Stripe from "stripe";

/** The Stripe settings of the server under test. */
export const stripeSettings = {
  secretKey: "sk_test_standin",
  publishableKey: "pk_test_standin",
  webhookSecret: "whsec_standin",
  prices: {
    basic: ["price_basic"],
    pro: ["price_pro", "price_proEarlier"],
    pro_premium: ["price_premium"],
  },
} as const;

/** The settings of a server that sells plans. */
export const sellingSettings: NodeJS.ProcessEnv = {
  STRIPE_SECRET_KEY: stripeSettings.secretKey,
  STRIPE_PUBLISHABLE_KEY: stripeSettings.publishableKey,
  STRIPE_WEBHOOK_SECRET: stripeSettings.webhookSecret,
  STRIPE_PRICE_BASIC: stripeSettings.prices.basic.join(","),
  STRIPE_PRICE_PRO: stripeSettings.prices.pro.join(","),
  STRIPE_PRICE_PREMIUM: stripeSettings.prices.pro_premium.join(","),
};

interface Session {
  readonly id: string;
  readonly customer: string;
  readonly price: string;
  readonly client_secret: string;
  status: "open" | "complete" | "expired";
  payment_status: "unpaid" | "paid";
}

interface Subscription {
  readonly id: string;
  readonly customer: string;
  price: string;
  status: string;
  cancel_at_period_end: boolean;
  /** Seconds since 1970. */
  current_period_end: number;
}

/** A webhook request as Stripe sends it. */
export interface Webhook {
  readonly id: string;
  readonly body: string;
  readonly signature: string;
}

type Form = Readonly<Record<string, string>>;
type Trouble = "unavailable" | "lost answer" | null;

const sleepless = new Stripe("sk_test_signs");

/**
 * Starts a fake of the parts of Stripe's HTTP API that are used: customers, subscriptions, Checkout and portal sessions
 * (docs.stripe.com/api). Tests simulate users and banks with it; each change creates a signed event.
 */
export const startStripe = async () => {
  const customers = new Map<string, { readonly email: string; isDeleted: boolean }>();
  const sessions = new Map<string, Session>();
  const subscriptions = new Map<string, Subscription>();
  const answered = new Map<string, string>();
  const webhooks: Webhook[] = [];
  const requests: string[] = [];
  const authorizations = new Set<string>();
  let trouble: (call: string) => Trouble = () => null;
  let mayChangeInPortal = true;
  let count = 0;
  let nowMs = (): number => Date.now();

  const next = (kind: string): string => {
    count += 1;
    return `${kind}_${count}`;
  };
  const seconds = (): number => Math.floor(nowMs() / 1_000);
  const sign = (id: string, body: string): Webhook => ({
    id,
    body,
    signature: sleepless.webhooks.generateTestHeaderString({
      payload: body,
      secret: stripeSettings.webhookSecret,
      timestamp: seconds(),
    }),
  });
  const recordEvent = (type: string, object: object): void => {
    const id = next("evt");
    webhooks.push(
      sign(id, JSON.stringify({ id, object: "event", type, created: seconds(), data: { object } })),
    );
  };
  const shown = (one: Subscription) => ({
    id: one.id,
    object: "subscription",
    customer: one.customer,
    status: one.status,
    cancel_at: null,
    cancel_at_period_end: one.cancel_at_period_end,
    items: { data: [{ price: { id: one.price }, current_period_end: one.current_period_end }] },
  });
  const ofCustomer = (customer: string): Subscription[] =>
    [...subscriptions.values()].filter((one) => one.customer === customer).reverse();

  class Refused extends Error {
    readonly code: string | undefined;
    constructor(message: string, code?: string) {
      super(message);
      this.code = code;
    }
  }
  const customer = (id: string | undefined): string => {
    if (id === undefined || customers.get(id)?.isDeleted !== false)
      throw new Refused(`No such customer: '${id}'`, "resource_missing");
    return id;
  };
  const list = (data: readonly unknown[]) => ({ object: "list", data, has_more: false });

  const answer = (call: string, id: string, form: Form): unknown => {
    switch (call) {
      case "POST /v1/customers": {
        const created = next("cus");
        customers.set(created, { email: form["email"] ?? "", isDeleted: false });
        return { id: created, object: "customer" };
      }
      case "DELETE /v1/customers/:id": {
        const known = customers.get(customer(id));
        if (known) known.isDeleted = true;
        for (const one of ofCustomer(id)) one.status = "canceled";
        recordEvent("customer.deleted", { id, object: "customer" });
        return { id, object: "customer", deleted: true };
      }
      case "GET /v1/subscriptions":
        return list(ofCustomer(customer(form["customer"])).map(shown));
      case "GET /v1/checkout/sessions":
        return list(
          [...sessions.values()].filter(
            (one) => one.customer === form["customer"] && one.status === form["status"],
          ),
        );
      case "POST /v1/checkout/sessions": {
        if (form["ui_mode"] !== "embedded_page" || form["mode"] !== "subscription")
          throw new Refused("this form is not known here");
        const created = next("cs");
        const session: Session = {
          id: created,
          customer: customer(form["customer"]),
          price: form["line_items[0][price]"] ?? "",
          client_secret: `${created}_secret`,
          status: "open",
          payment_status: "unpaid",
        };
        sessions.set(created, session);
        return { object: "checkout.session", ...session };
      }
      case "GET /v1/checkout/sessions/:id": {
        const session = sessions.get(id);
        if (!session) throw new Refused(`No such checkout.session: ${id}`, "resource_missing");
        return { object: "checkout.session", ...session };
      }
      case "POST /v1/checkout/sessions/:id/expire": {
        const session = sessions.get(id);
        if (session?.status !== "open") throw new Refused("Only open sessions can be expired");
        session.status = "expired";
        return { object: "checkout.session", ...session };
      }
      case "POST /v1/billing_portal/sessions": {
        const change = form["flow_data[subscription_update][subscription]"];
        if (change !== undefined && !mayChangeInPortal)
          throw new Refused("This subscription cannot be updated in the portal");
        const where = change === undefined ? "" : `/change/${change}`;
        return {
          id: next("bps"),
          object: "billing_portal.session",
          url: `https://billing.stripe.example/${customer(form["customer"])}${where}`,
        };
      }
      default:
        throw new Refused(`Unrecognized request URL (${call})`);
    }
  };

  const read = async (request: IncomingMessage): Promise<string> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks).toString("utf8");
  };
  const send = (response: ServerResponse, status: number, body: string): void => {
    response.writeHead(status, { "content-type": "application/json" }).end(body);
  };
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? "/", "http://stripe.test");
    const form = Object.fromEntries(
      new URLSearchParams(request.method === "GET" ? url.search : await read(request)),
    );
    const [, id = ""] = /\/((?:cus|cs)_\w+)/.exec(url.pathname) ?? [];
    const call = `${request.method} ${url.pathname.replace(`/${id}`, id === "" ? "/" : "/:id")}`.replace(
      /(?<=.)\/$/,
      "",
    );
    requests.push(call);
    authorizations.add(request.headers.authorization ?? "");
    const key = String(request.headers["idempotency-key"] ?? "");
    const now = trouble(call);
    if (now === "unavailable")
      return send(response, 503, JSON.stringify({ error: { type: "api_error", message: "Down" } }));
    try {
      const body = (request.method === "POST" && answered.get(key)) || JSON.stringify(answer(call, id, form));
      if (key !== "" && request.method === "POST") answered.set(key, body);
      if (now === "lost answer") request.socket.destroy();
      else send(response, 200, body);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      const { message, code } = error;
      send(response, 400, JSON.stringify({ error: { type: "invalid_request_error", message, code } }));
    }
  };

  const server = createServer((request, response) => {
    respond(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const apiBase = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const change = (id: string, to: Partial<Subscription>, type: string): void => {
    const one = subscriptions.get(id);
    if (!one) throw new Error(`there is no ${id}`);
    Object.assign(one, to);
    recordEvent(type, shown(one));
  };

  return {
    /** The settings of a server that uses this fake. */
    billing: { ...stripeSettings, apiBase } as const,
    /** The requests received, as "GET /v1/subscriptions". */
    requests: requests as readonly string[],
    authorizations: authorizations as ReadonlySet<string>,
    customers: customers as ReadonlyMap<string, { readonly email: string; readonly isDeleted: boolean }>,
    sessions: sessions as ReadonlyMap<string, Session>,
    subscriptionsOf: (email: string): readonly Subscription[] =>
      [...customers].flatMap(([id, one]) => (one.email === email ? ofCustomer(id) : [])),
    /** Returns and removes the events that were not taken yet. */
    takeWebhooks: (): readonly Webhook[] => webhooks.splice(0),
    sign,
    setClock: (now: () => number): void => {
      nowMs = now;
    },
    /** Sets how calls fail from now on. */
    setTrouble: (next: (call: string) => Trouble): void => {
      trouble = next;
    },
    setPortalChanges: (may: boolean): void => {
      mayChangeInPortal = may;
    },
    /** Simulates a payment in the form of a session; returns the ID of the new subscription. */
    pay: (sessionId: string): string => {
      const session = sessions.get(sessionId);
      if (session?.status !== "open") throw new Error(`${sessionId} is not open`);
      session.status = "complete";
      session.payment_status = "paid";
      const id = next("sub");
      const created: Subscription = {
        id,
        customer: session.customer,
        price: session.price,
        status: "active",
        cancel_at_period_end: false,
        current_period_end: seconds() + 30 * 86_400,
      };
      subscriptions.set(id, created);
      recordEvent("customer.subscription.created", shown(created));
      recordEvent("checkout.session.completed", { object: "checkout.session", ...session });
      return id;
    },
    /** Simulates a change of a subscription by a user or a bank. */
    update: (id: string, to: Partial<Subscription>): void =>
      change(
        id,
        to,
        to.status === "canceled" ? "customer.subscription.deleted" : "customer.subscription.updated",
      ),
    stop: (): Promise<void> =>
      new Promise((stopped) => {
        server.closeAllConnections();
        server.close(() => stopped());
      }),
  };
};

export type StripeStandIn = Awaited<ReturnType<typeof startStripe>>;
