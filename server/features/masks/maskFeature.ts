import type { CreateFeature } from "../../context/feature.ts";
import { expireMasks } from "./expireMask.ts";
import { MaskLists } from "./list/maskLists.ts";
import { createMaskFeature } from "./list/maskSocket.ts";
import { createMaskHistory } from "./maskHistory.ts";
import { createMaskRecord } from "./maskRecord.ts";
import { maskRoutes } from "./maskRoutes.ts";
import { createUserMasks } from "./userMasks.ts";

/** The masks of a user. */
export const masksFeature: CreateFeature = (context) => {
  const { database, senderLists, authGuard } = context;
  const lists = new MaskLists(database, senderLists);
  return {
    routes: [maskRoutes({ masks: createUserMasks(context, lists.list), authGuard })],
    socket: [createMaskFeature(database, lists.list, senderLists)],
    mail: { facts: [createMaskHistory(database)], records: [createMaskRecord(senderLists)] },
    prune: { expireMasks },
  };
};
