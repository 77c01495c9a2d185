import type { CreateFeature } from "../../context/feature.ts";
import { breachRoutes } from "./breachRoutes.ts";

/** Whether an address of the user is in a known leak. */
export const breachesFeature: CreateFeature = (context) => ({
  routes: [breachRoutes({ ...context, ranges: context.config.breachRanges })],
});
