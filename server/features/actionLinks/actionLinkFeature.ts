import type { CreateFeature } from "../../context/feature.ts";
import { actionLinkRoutes } from "./actionLinkRoutes.ts";

/** The links in forwarded mail that act on its mask. */
export const actionLinksFeature: CreateFeature = (context) => ({ routes: [actionLinkRoutes(context)] });
