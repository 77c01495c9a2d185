import type { CreateFeature } from "../../context/feature.ts";
import { appPasswordRoutes } from "./appPasswordRoutes.ts";

/** The passwords of mail programs. */
export const appPasswordsFeature: CreateFeature = (context) => ({
  routes: [appPasswordRoutes(context)],
});
