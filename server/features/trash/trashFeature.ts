import type { CreateFeature } from "../../context/feature.ts";
import { trashRoutes } from "./trashRoutes.ts";
import { createUserTrash, pruneDeletedMasks } from "./userTrash.ts";

/** Deleted masks, which can be restored for 30 days. */
export const trashFeature: CreateFeature = (context) => ({
  routes: [trashRoutes({ ...context, trash: createUserTrash(context) })],
  prune: { pruneDeletedMasks },
});
