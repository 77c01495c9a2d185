import type { CreateFeature } from "../../context/feature.ts";
import { senderRoutes } from "./senderRoutes.ts";

/** The senders that a mask always accepts and refuses. */
export const sendersFeature: CreateFeature = (context) => ({
  routes: [senderRoutes(context)],
});
