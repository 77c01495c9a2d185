import type { CreateFeature } from "../../context/feature.ts";
import { toPart } from "../../platform/ops/lifecycle.ts";
import { createPushDispatcher } from "./pushDispatcher.ts";
import { createPushKeys } from "./pushKeys.ts";
import { createPushMailRecord } from "./pushMailRecord.ts";
import { prunePushes } from "./pushQueries.ts";
import { pushRoutes } from "./pushRoutes.ts";

/** Notifications on devices of users, through the push services of their browsers. */
export const pushFeature: CreateFeature = (context) => {
  const pushKeys = createPushKeys(context);
  const pushDelivery = createPushDispatcher({ ...context, pushKeys });
  return {
    routes: [pushRoutes({ ...context, pushKeys, pushDelivery })],
    jobs: [toPart("push", pushDelivery.start)],
    mail: { records: [createPushMailRecord(context)] },
    prune: { prunePushes },
  };
};
