import type { CreateFeature } from "../../context/feature.ts";
import { toPart } from "../../platform/ops/lifecycle.ts";
import { billingRoutes, webhookRoute } from "./billingRoutes.ts";
import { createCustomerDeletion } from "./customerDeletion.ts";
import { pruneBilling } from "./customerQueries.ts";

/** Paid plans. */
export const billingFeature: CreateFeature = (context) => {
  const { payments, provider } = context.billing;
  return {
    routes: [billingRoutes({ ...context, billing: payments }), ...(payments ? [webhookRoute(payments)] : [])],
    jobs: provider
      ? [toPart("customerDeletion", createCustomerDeletion({ ...context, provider }).start)]
      : [],
    prune: { pruneBilling },
  };
};
