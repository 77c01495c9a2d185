import type { CreateFeature } from "../../context/feature.ts";
import { correspondentRoutes } from "./correspondentRoutes.ts";
import { createUserCorrespondents } from "./correspondents.ts";
import { pruneDailyReplies } from "./replyCounts.ts";
import { pruneReverseAddresses, ReverseAddresses } from "./reverseAddresses.ts";

/** Who a mask has exchanged mail with, and the addresses through which its owner writes to them. */
export const correspondentsFeature: CreateFeature = (context) => {
  const correspondents = createUserCorrespondents(context, new ReverseAddresses(context));
  return {
    routes: [correspondentRoutes({ ...context, correspondents })],
    prune: { pruneDailyReplies, pruneReverseAddresses },
  };
};
