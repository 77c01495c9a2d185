import type { CreateFeature } from "../../context/feature.ts";
import { operatorRoutes } from "./operatorRoutes.ts";

/** The page of the operator. */
export const operatorFeature: CreateFeature = (context) => ({
  routes: [operatorRoutes(context)],
});
