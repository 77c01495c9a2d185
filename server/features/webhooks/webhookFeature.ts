import type { CreateFeature } from "../../context/feature.ts";
import { toPart } from "../../platform/ops/lifecycle.ts";
import { createWebhookDispatcher } from "./webhookDispatcher.ts";
import { createWebhookMailRecord } from "./webhookMailRecord.ts";
import { pruneMessages } from "./webhookQueries.ts";
import { webhookRoutes } from "./webhookRoutes.ts";

/** Addresses of users that are told of events. */
export const webhooksFeature: CreateFeature = (context) => {
  const webhookDelivery = createWebhookDispatcher(context);
  return {
    routes: [webhookRoutes({ ...context, webhookDelivery })],
    jobs: [toPart("webhooks", webhookDelivery.start)],
    mail: { records: [createWebhookMailRecord(context)] },
    prune: { pruneMessages },
  };
};
