import type { CreateFeature } from "../../context/feature.ts";
import { breachRoutes } from "./breachRoutes.ts";

/** The check of a user's addresses against known leaks. */
export const breachesFeature: CreateFeature = (context) => ({
  routes: [breachRoutes({ ...context, ranges: context.config.breachRanges })],
});
