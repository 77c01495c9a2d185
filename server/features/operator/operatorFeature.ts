import type { CreateFeature } from "../../context/feature.ts";
import { operatorRoutes } from "./operatorRoutes.ts";

/** What the operator's page shows. */
export const operatorFeature: CreateFeature = (context) => ({
  routes: [operatorRoutes(context)],
});
