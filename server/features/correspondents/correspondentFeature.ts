import type { CreateFeature } from "../../context/feature.ts";
import { correspondentRoutes } from "./correspondentRoutes.ts";
import { pruneDailyReplies } from "./replyCounts.ts";
import { pruneReverseAddresses, ReverseAddresses } from "./reverseAddresses.ts";
import { createSenderJudge } from "./senderJudge.ts";

/** The people with whom a mask has exchanged mail, and the addresses through which its owner writes to them. */
export const correspondentsFeature: CreateFeature = (context) => {
  const reverseAddresses = new ReverseAddresses(context);
  return {
    routes: [correspondentRoutes({ ...context, reverseAddresses })],
    mail: { judges: [createSenderJudge({ ...context, reverseAddresses })] },
    prune: { pruneDailyReplies, pruneReverseAddresses },
  };
};
