import type { CreateFeature } from "../../context/feature.ts";
import { pruneArchive } from "./archiveQueries.ts";
import { archiveRoutes } from "./archiveRoutes.ts";
import { createUserArchive } from "./userArchive.ts";

/** Mail that rules archive instead of forwarding it. */
export const archiveFeature: CreateFeature = (context) => ({
  routes: [archiveRoutes({ ...context, archive: createUserArchive(context) })],
  prune: { pruneArchive },
});
