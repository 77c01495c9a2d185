import type { CreateFeature } from "../../context/feature.ts";
import { actionLinkRoutes } from "./actionLinkRoutes.ts";
import { createSignedLinks } from "./actionLinks.ts";
import { createActionLinkTreatment } from "./actionLinkTreatment.ts";

/** The links in forwarded mail that act on its mask. */
export const actionLinksFeature: CreateFeature = (context) => ({
  routes: [actionLinkRoutes(context)],
  mail: {
    treatments: [createActionLinkTreatment(createSignedLinks(context.hash, context.config.publicUrl))],
  },
});
