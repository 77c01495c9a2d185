import type { CreateFeature } from "../../context/feature.ts";
import { createLeaveList } from "./leaveList.ts";
import { mailingListRoutes } from "./mailingListRoutes.ts";
import { createMailingLists } from "./mailingLists.ts";
import { createUnsubscribePart } from "./unsubscribeFields.ts";
import { createUnsubscribeLinks } from "./unsubscribeLinks.ts";
import { unsubscribeRoutes } from "./unsubscribeRoutes.ts";
import { pruneUnsubscribings } from "./unsubscribings.ts";

/** The mailing lists that masks get mail of, and how they are left through the mask. */
export const unsubscribeFeature: CreateFeature = (context) => {
  const { config, hash, seal, authGuard, relay } = context;
  const leave = createLeaveList({ ...context, sealDetail: relay.sealDetail });
  const lists = createMailingLists(hash, seal);
  return {
    routes: [unsubscribeRoutes(context, leave), mailingListRoutes(context, { authGuard, leave })],
    mail: createUnsubscribePart(createUnsubscribeLinks(seal, config.publicUrl), lists, config),
    prune: { pruneUnsubscribings },
  };
};
