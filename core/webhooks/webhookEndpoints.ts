import * as t from "io-ts";
import { endpoint } from "../api/endpoint.ts";
import { refined, requiredText } from "../api/textCodecs.ts";
import { Labels } from "../labels/label.ts";
import { WebhookEvent, WebhookMessageType } from "./webhookEvent.ts";

/** The most webhooks of an account. */
export const maxWebhooks = 20;

/** The hours for which a message is tried, and for which a webhook may fail before it is paused. */
export const retriedForHours = 24;

/** The hours for which the secret before the present one signs too. */
export const earlierSecretHours = 24;

/** The number of deliveries of a webhook that are listed. */
export const listedDeliveries = 100;

const maxWebhookUrl = 2_000;

/** The state of a webhook: on, or stopped by its owner, or by the server because it fails. */
export const WebhookState = t.keyof({ on: null, off: null, paused: null });
export type WebhookState = t.TypeOf<typeof WebhookState>;

/**
 * The reason for which the server paused a webhook: nothing could be delivered for `retriedForHours`, or the receiver says
 * that it is gone.
 */
export const PauseReason = t.keyof({ failing: null, gone: null });
export type PauseReason = t.TypeOf<typeof PauseReason>;

const Nullable = <A>(codec: t.Type<A, A, unknown>) => t.union([codec, t.null]);

/** The state of a message: it is sent or will be tried again, arrived, or was given up. */
export const DeliveryState = t.keyof({ waiting: null, delivered: null, failed: null });
export type DeliveryState = t.TypeOf<typeof DeliveryState>;

/** A message to a webhook, and its last attempt. Dates are ISO 8601. */
export const WebhookDelivery = t.type({
  id: t.string,
  /** The `webhook-id` of all its attempts. */
  messageId: t.string,
  event: WebhookMessageType,
  created: t.string,
  state: DeliveryState,
  attempts: t.number,
  /** null once it is delivered or given up. */
  nextAttempt: Nullable(t.string),
  /** The receiver's HTTP status; null without an answer. */
  status: Nullable(t.number),
  /** The problem, in a sentence; null for a success and before the first attempt. */
  problem: Nullable(t.string),
  /** The beginning of the receiver's answer, at most 200 characters. */
  answer: Nullable(t.string),
  /** Of the last attempt; null before it. */
  durationMs: Nullable(t.number),
});
export type WebhookDelivery = t.TypeOf<typeof WebhookDelivery>;

/** An address of the user's that is told of events. Dates are ISO 8601. */
export const Webhook = t.type({
  id: t.string,
  url: t.string,
  events: t.readonlyArray(WebhookEvent),
  /** Only of masks with one of these labels; empty for all masks. */
  labels: t.readonlyArray(t.string),
  /** True if subject and text are sent; never while the account has a key. */
  includesContent: t.boolean,
  state: WebhookState,
  /** null while it is not paused. */
  pausedBecause: Nullable(PauseReason),
  /** The time since which nothing could be delivered; null when the last delivery succeeded. */
  failingSince: Nullable(t.string),
  created: t.string,
  /** The end of the time in which the secret before the present one signs too; null without one. */
  earlierSecretUntil: Nullable(t.string),
  /** The newest delivery that was attempted; null before the first. */
  lastDelivery: Nullable(WebhookDelivery),
});
export type Webhook = t.TypeOf<typeof Webhook>;

const Url = refined(
  refined(
    requiredText("Enter the address to send to"),
    (url) => /^https?:\/\/[^\s/?#\\]+[^\s]*$/i.test(url),
    "Enter an address that begins with https://",
  ),
  (url) => url.length <= maxWebhookUrl,
  `Use at most ${maxWebhookUrl} characters`,
);

const Events = refined(
  t.readonlyArray(WebhookEvent),
  (events) => events.length > 0 && new Set(events).size === events.length,
  "Choose at least one event, each once",
);

/** A webhook as its user asks for it. */
export const NewWebhook = t.type({ url: Url, events: Events, labels: Labels, includesContent: t.boolean });
export type NewWebhook = t.TypeOf<typeof NewWebhook>;

/** The changes of a webhook; what is absent stays. `active: true` resumes a paused one. */
export const WebhookEdit = t.partial({
  url: Url,
  events: Events,
  labels: Labels,
  includesContent: t.boolean,
  active: t.boolean,
});
export type WebhookEdit = t.TypeOf<typeof WebhookEdit>;

const params = t.type({ id: t.string });

/** Lists the caller's webhooks, newest first, and whether the account has a key, so that no content is sent. */
export const listWebhooks = endpoint("GET", "/account/webhooks", {
  answer: t.type({ webhooks: t.readonlyArray(Webhook), hasKey: t.boolean }),
});

/** Makes a webhook; 409 beyond 20. The answer is the only place where its secret is readable. */
export const postWebhook = endpoint("POST", "/account/webhooks", {
  status: 201,
  needsRecentProof: true,
  body: NewWebhook,
  answer: t.type({ webhook: Webhook, secret: t.string }),
});

/**
 * Changes a webhook, switches it on or off, or resumes it; all but switching it off needs a recent proof. 404 when the caller has
 * none with this id.
 */
export const patchWebhook = endpoint("PATCH", "/account/webhooks/:id", {
  params,
  body: WebhookEdit,
  answer: Webhook,
});

/** Deletes a webhook and what waits for it; 404 when the caller has none with this id. */
export const deleteWebhook = endpoint("DELETE", "/account/webhooks/:id", { params });

/** Gives a webhook a new secret; the one before signs too for 24 hours. */
export const postWebhookSecret = endpoint("POST", "/account/webhooks/:id/secret", {
  needsRecentProof: true,
  params,
  answer: t.type({ webhook: Webhook, secret: t.string }),
});

/** Sends a message of the type `webhook.test`, to a webhook that is off or paused too. */
export const postWebhookTest = endpoint("POST", "/account/webhooks/:id/test", {
  params,
  answer: WebhookDelivery,
});

/** Lists the last 100 deliveries of a webhook, newest first. */
export const listWebhookDeliveries = endpoint("GET", "/account/webhooks/:id/deliveries", {
  params,
  answer: t.type({ deliveries: t.readonlyArray(WebhookDelivery) }),
});

/** Sends a message again, with the same `webhook-id` and without the mail's content; 409 while the webhook is off. */
export const postWebhookDelivery = endpoint("POST", "/account/webhooks/:id/deliveries/:delivery", {
  params: t.type({ id: t.string, delivery: t.string }),
  answer: WebhookDelivery,
});
