import type { CreateFeature } from "../../context/feature.ts";
import { labelRoutes } from "./labelRoutes.ts";

/** The labels of masks. */
export const labelsFeature: CreateFeature = (context) => ({
  routes: [labelRoutes({ deps: context, authGuard: context.authGuard })],
});
