import type {
  NewWebhook,
  Webhook,
  WebhookDelivery,
  WebhookEdit,
} from "../../core/webhooks/webhookEndpoints.ts";
import type { Answer, FakeHttp, ReceivedRequest } from "./fakeHttp.ts";
import { startsAt } from "./virtualClock.ts";

/** The secret of each webhook that the fake server makes. */
export const madeSecret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwJ0Yd4t3Kxk0=";

const isoOf = (ms: number): string => new Date(ms).toISOString();

export const createWebhook = (id: string, more: Partial<Webhook> = {}): Webhook => ({
  id,
  url: `https://${id}.example/hook`,
  events: ["mail.received"],
  labels: [],
  includesContent: false,
  state: "on",
  pausedBecause: null,
  failingSince: null,
  created: isoOf(startsAt),
  earlierSecretUntil: null,
  lastDelivery: null,
  ...more,
});

export const createDelivery = (id: string, more: Partial<WebhookDelivery> = {}): WebhookDelivery => ({
  id,
  messageId: `msg_${id}`,
  event: "mail.received",
  created: isoOf(startsAt),
  state: "delivered",
  attempts: 1,
  nextAttempt: null,
  status: 204,
  problem: null,
  answer: "",
  durationMs: 120,
  ...more,
});

/** The webhooks of the product's user, as the server keeps them. */
export interface ProductWebhooks {
  readonly all: () => readonly Webhook[];
  readonly set: (webhooks: readonly Webhook[]) => void;
  readonly deliveries: () => readonly WebhookDelivery[];
  readonly setDeliveries: (deliveries: readonly WebhookDelivery[]) => void;
  readonly setHasKey: (hasKey: boolean) => void;
}

type Authorise = (answer: (request: ReceivedRequest) => Answer) => (request: ReceivedRequest) => Answer;

const waiting = (id: string, attempts: number): WebhookDelivery =>
  createDelivery(id, {
    event: "webhook.test",
    state: "waiting",
    attempts,
    nextAttempt: isoOf(startsAt),
    status: null,
    answer: null,
    durationMs: null,
  });

/** Serves the webhooks; what is sent waits until a test sets the deliveries. */
export const serveWebhooks = (server: FakeHttp, authorised: Authorise): ProductWebhooks => {
  let webhooks: readonly Webhook[] = [];
  let deliveries: readonly WebhookDelivery[] = [];
  let hasKey = false;
  const missing: Answer = { status: 404, json: { message: "This webhook no longer exists." } };
  const withOne =
    (answer: (webhook: Webhook, request: ReceivedRequest) => Answer) =>
    (request: ReceivedRequest): Answer => {
      const webhook = webhooks.find(({ id }) => id === request.params["id"]);
      return webhook ? answer(webhook, request) : missing;
    };
  const put = (changed: Webhook): Webhook => {
    webhooks = webhooks.map((one) => (one.id === changed.id ? changed : one));
    return changed;
  };
  server.on(
    "GET",
    "/account/webhooks",
    authorised(() => ({ json: { webhooks, hasKey } })),
  );
  server.on(
    "POST",
    "/account/webhooks",
    authorised(({ body }) => {
      const wanted = body as NewWebhook;
      const webhook = createWebhook(new URL(wanted.url).hostname, wanted);
      webhooks = [webhook, ...webhooks];
      return { status: 201, json: { webhook, secret: madeSecret } };
    }),
  );
  server.on(
    "PATCH",
    "/account/webhooks/:id",
    authorised(
      withOne((webhook, { body }) => {
        const { active, ...edit } = body as WebhookEdit;
        if (active === undefined) return { json: put({ ...webhook, ...edit }) };
        return { json: put({ ...webhook, state: active ? "on" : "off", pausedBecause: null }) };
      }),
    ),
  );
  server.on(
    "DELETE",
    "/account/webhooks/:id",
    authorised(
      withOne(({ id }) => {
        webhooks = webhooks.filter((one) => one.id !== id);
        return { json: {} };
      }),
    ),
  );
  server.on(
    "POST",
    "/account/webhooks/:id/secret",
    authorised(
      withOne((webhook) => ({
        json: {
          webhook: put({ ...webhook, earlierSecretUntil: isoOf(startsAt) }),
          secret: madeSecret,
        },
      })),
    ),
  );
  server.on(
    "POST",
    "/account/webhooks/:id/test",
    authorised(
      withOne(() => {
        const sent = waiting(`test ${deliveries.length}`, 0);
        deliveries = [sent, ...deliveries];
        return { json: sent };
      }),
    ),
  );
  server.on("GET", "/account/webhooks/:id/deliveries", authorised(withOne(() => ({ json: { deliveries } }))));
  server.on(
    "POST",
    "/account/webhooks/:id/deliveries/:delivery",
    authorised(({ params }) => {
      const before = deliveries.find(({ id }) => id === params["delivery"]);
      if (!before) return missing;
      const sent: WebhookDelivery = { ...before, state: "waiting", nextAttempt: isoOf(startsAt) };
      deliveries = deliveries.map((one) => (one.id === sent.id ? sent : one));
      return { json: sent };
    }),
  );
  return {
    all: () => webhooks,
    set: (next) => {
      webhooks = next;
    },
    deliveries: () => deliveries,
    setDeliveries: (next) => {
      deliveries = next;
    },
    setHasKey: (next) => {
      hasKey = next;
    },
  };
};
