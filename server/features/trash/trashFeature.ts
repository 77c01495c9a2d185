import type { CreateFeature } from "../../context/feature.ts";
import { trashRoutes } from "./trashRoutes.ts";
import { pruneDeletedMasks } from "./userTrash.ts";

/** Deleted masks, which can be restored for 30 days. */
export const trashFeature: CreateFeature = (context) => ({
  routes: [trashRoutes(context)],
  prune: { pruneDeletedMasks },
});
