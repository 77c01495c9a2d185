import type { CreateFeature } from "../../context/feature.ts";
import { createResourceFeature } from "../../platform/socket/socketFeature.ts";
import { logRoutes } from "./logRoutes.ts";
import { pruneLog } from "./pruneLog.ts";

/** The log of each mail's result. */
export const mailLogFeature: CreateFeature = (context) => ({
  routes: [logRoutes(context)],
  socket: [createResourceFeature("log")],
  prune: { pruneLog },
});
