import type { CreateFeature } from "../../context/feature.ts";
import { toPart } from "../../platform/ops/lifecycle.ts";
import { createResourceFeature } from "../../platform/socket/socketFeature.ts";
import { insightsRoutes } from "./insightsRoutes.ts";
import { createMailCounting, createRetention } from "./retention.ts";
import { createUserInsights } from "./userInsights.ts";

/** What the figures of a user's mail say. */
export const insightsFeature: CreateFeature = (context) => {
  const { database, clock, log } = context;
  return {
    routes: [insightsRoutes({ ...context, insights: createUserInsights(context) })],
    socket: [createResourceFeature("insights")],
    jobs: [
      toPart("counting", createMailCounting(database, clock, log).start),
      toPart("retention", createRetention(database, clock, log).start),
    ],
  };
};
