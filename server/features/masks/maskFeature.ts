import type { CreateFeature } from "../../context/feature.ts";
import { expireMasks } from "./expireMask.ts";
import { MaskLists } from "./list/maskLists.ts";
import { createMaskFeature } from "./list/maskSocket.ts";
import { createMaskHistory } from "./maskHistory.ts";
import { createMaskRecord } from "./maskRecord.ts";
import { maskRoutes } from "./maskRoutes.ts";

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
