import type { CreateFeature } from "../../context/feature.ts";
import { createResourceFeature } from "../../platform/socket/socketFeature.ts";
import { heldLinkRoutes } from "./heldLinkRoutes.ts";
import { heldRoutes } from "./heldRoutes.ts";
import { pruneHeldMails } from "./pruneHeldMails.ts";
import { pruneReports } from "./reportQueries.ts";

/** Mail that waits for the decision of its owner. */
export const heldFeature: CreateFeature = (context) => ({
  routes: [heldRoutes(context), heldLinkRoutes(context)],
  socket: [createResourceFeature("held")],
  prune: { pruneHeldMails, pruneReports },
});
