import type { CreateFeature } from "../../context/feature.ts";
import { createResourceFeature } from "../../platform/socket/socketFeature.ts";
import { contentAccessRoutes } from "./contentAccessRoutes.ts";
import { createUserContentAccess } from "./userContentAccess.ts";

/** The access to the content of mail that users agree to. */
export const contentAccessFeature: CreateFeature = (context) => {
  const { aiModel } = context.config;
  const access = createUserContentAccess({ ...context, externalModel: aiModel && new URL(aiModel.url).host });
  return {
    routes: [contentAccessRoutes({ ...context, access })],
    socket: [createResourceFeature("content-access", access.getAnnounced)],
  };
};
