import { createResourceFeature } from "../../platform/socket/socketFeature.ts";
import type { CreateFeature } from "../feature.ts";
import { keyRoutes } from "./keyRoutes.ts";
import { createUserKeys } from "./userKeys.ts";
import { webKeyDirectory } from "./webKeyDirectory.ts";

/** The public keys of users. */
export const encryptionFeature: CreateFeature = (context) => {
  const { database, config, authGuard } = context;
  const keys = createUserKeys(context);
  return {
    routes: [keyRoutes({ keys, authGuard }), webKeyDirectory({ database, maskDomain: config.maskDomain })],
    socket: [createResourceFeature("keys", keys.getAnnounced)],
  };
};
