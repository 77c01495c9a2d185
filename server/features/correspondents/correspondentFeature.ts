import type { CreateFeature } from "../../context/feature.ts";
import { correspondentRoutes } from "./correspondentRoutes.ts";
import { pruneDailyReplies } from "./replyCounts.ts";
import { pruneReverseAddresses, ReverseAddresses } from "./reverseAddresses.ts";

/** Who a mask has exchanged mail with, and the addresses through which its owner writes to them. */
export const correspondentsFeature: CreateFeature = (context) => ({
  routes: [correspondentRoutes({ ...context, reverseAddresses: new ReverseAddresses(context) })],
  prune: { pruneDailyReplies, pruneReverseAddresses },
});
