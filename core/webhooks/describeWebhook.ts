import { type PauseReason, retriedForHours, type Webhook, type WebhookDelivery } from "./webhookEndpoints.ts";
import { type WebhookEvent, webhookEvents, webhookEventTexts } from "./webhookEvent.ts";

/** The health of a webhook: "failing" is one that is on and whose last delivery did not succeed. */
export type WebhookHealth = "working" | "failing" | "paused" | "off";

export const healthOf = ({ state, failingSince }: Webhook): WebhookHealth => {
  if (state !== "on") return state;
  return failingSince === null ? "working" : "failing";
};

/** The sentences for the reasons of the server's pause of a webhook, and what to do. */
export const pauseTexts: Readonly<Record<PauseReason, string>> = {
  failing: `Nothing could be delivered for ${retriedForHours} hours. Waiting messages were given up: resume the webhook, then send them again from its deliveries.`,
  gone: "The receiver answered that it is gone (410). Resume the webhook when the receiver is back.",
};

const groups = ["Mail", "Masks"] as const;

/** The events of each group, in the order in which they are offered. */
export const eventsByGroup: readonly {
  readonly group: (typeof groups)[number];
  readonly events: readonly WebhookEvent[];
}[] = groups.map((group) => ({
  group,
  events: webhookEvents.filter((event) => webhookEventTexts[event].group === group),
}));

/** Names events in a line: "Mail: received, held. Masks: created". */
export const describeEvents = (events: readonly WebhookEvent[]): string => {
  if (events.length === webhookEvents.length) return "All events";
  return eventsByGroup
    .map(({ group, events: offered }) => ({ group, chosen: offered.filter((one) => events.includes(one)) }))
    .filter(({ chosen }) => chosen.length > 0)
    .map(({ group, chosen }) => {
      const names = chosen.map((event) => webhookEventTexts[event].label.toLowerCase());
      return `${group}: ${names.join(", ")}`;
    })
    .join(". ");
};

/** Names what a delivery told, as its webhook's form does. */
export const describeMessage = ({ event }: WebhookDelivery): string => {
  if (event === "webhook.test") return "Test";
  const { group, label } = webhookEventTexts[event];
  return `${group === "Mail" ? "Mail" : "Mask"} ${label.toLowerCase()}`;
};

const inTime = ({ durationMs }: WebhookDelivery): string =>
  durationMs === null ? "" : ` in ${durationMs} ms`;

/** Says in a sentence what the last attempt of a delivery led to. */
export const describeOutcome = (delivery: WebhookDelivery): string => {
  const { status, problem } = delivery;
  if (problem !== null) return problem;
  return status === null ? "No answer yet." : `Answered ${status}${inTime(delivery)}.`;
};
