import type { CreateFeature } from "../../context/feature.ts";
import { toPart } from "../../platform/ops/lifecycle.ts";
import { createResourceFeature } from "../../platform/socket/socketFeature.ts";
import { createEndingKeys } from "./endingKeys.ts";
import { keyRoutes } from "./keyRoutes.ts";
import { readAnnouncedKeys } from "./userKeys.ts";
import { webKeyRoutes } from "./webKeyRoutes.ts";

/** The public keys of users. */
export const encryptionFeature: CreateFeature = (context) => ({
  routes: [keyRoutes(context), webKeyRoutes(context)],
  jobs: [toPart("ends of keys", createEndingKeys(context).start)],
  socket: [createResourceFeature("keys", (userId) => readAnnouncedKeys(context.database.db, userId))],
});
