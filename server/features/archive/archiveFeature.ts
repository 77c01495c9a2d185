import type { CreateFeature } from "../../context/feature.ts";
import { pruneArchive } from "./archiveQueries.ts";
import { archiveRecord } from "./archiveRecord.ts";
import { archiveRoutes } from "./archiveRoutes.ts";

/** Mail that rules archive instead of forwarding it. */
export const archiveFeature: CreateFeature = (context) => ({
  routes: [archiveRoutes(context)],
  mail: { records: [archiveRecord] },
  prune: { pruneArchive },
});
