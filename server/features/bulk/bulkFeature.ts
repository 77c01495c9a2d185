import type { CreateFeature } from "../../context/feature.ts";
import { bulkRoutes } from "./bulkRoutes.ts";

/** Changes of several masks at once. */
export const bulkFeature: CreateFeature = (context) => ({
  routes: [bulkRoutes({ deps: context, authGuard: context.authGuard })],
});
