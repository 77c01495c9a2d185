import type { CreateFeature } from "../../context/feature.ts";
import { monthOf } from "../../delivery/usageQueries.ts";
import type { Database } from "../../platform/store/database.ts";
import { hasRules } from "../../relay/evaluate/ruleCache.ts";
import type { MailFact } from "../../relay/mailPart.ts";
import { expireMasks } from "./expireMask.ts";
import { MaskLists } from "./list/maskLists.ts";
import { createMaskFeature } from "./list/maskSocket.ts";
import { createMaskRecord } from "./maskRecord.ts";
import { maskRoutes } from "./maskRoutes.ts";
import { readMaskHistory } from "./maskStatistics.ts";

/** Creates the facts about a mask's history, before the mail is counted. */
const createMaskHistory = ({ db }: Pick<Database, "db">): MailFact => ({
  isNeeded: ({ rules }) => hasRules(rules),
  read: ({ now }, { maskId }) => readMaskHistory(db, maskId, monthOf(now)),
});

/** The masks of a user. */
export const masksFeature: CreateFeature = (context) => {
  const { database, senderLists } = context;
  const lists = new MaskLists(database, senderLists);
  return {
    routes: [maskRoutes(context, lists.list)],
    socket: [createMaskFeature(database, lists.list, senderLists)],
    mail: {
      recipients: [context.masks.recipients],
      facts: [createMaskHistory(database)],
      records: [createMaskRecord(senderLists, context.masks.noticeNoRoom)],
    },
    prune: { expireMasks },
  };
};
