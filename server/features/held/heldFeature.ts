import type { CreateFeature } from "../../context/feature.ts";
import { createResourceFeature } from "../../platform/socket/socketFeature.ts";
import { heldLinkRoutes } from "./heldLinkRoutes.ts";
import { heldRoutes } from "./heldRoutes.ts";
import { pruneHeldMails } from "./pruneHeldMails.ts";
import { pruneReports } from "./reportQueries.ts";
import { createUserHeldMails } from "./userHeldMails.ts";

/** Mail that waits for the decision of its owner. */
export const heldFeature: CreateFeature = (context) => {
  const heldMails = createUserHeldMails(context);
  return {
    routes: [heldRoutes({ ...context, heldMails }), heldLinkRoutes({ ...context, heldMails })],
    socket: [createResourceFeature("held")],
    prune: { pruneHeldMails, pruneReports },
  };
};
