import type { ServerMessage } from "../../../../core/realtime/messages.ts";
import { dataUpdate, type SocketFeature } from "../../../platform/socket/socketFeature.ts";
import type { Database } from "../../../platform/store/database.ts";
import type { ChangeEvent } from "../../../platform/store/events.ts";
import { isId } from "../../../platform/store/id.ts";
import type { SenderLists } from "../../senders/senderLists.ts";
import { findMask, toMask } from "../maskQueries.ts";
import type { MaskLists } from "./maskLists.ts";

/** Announces changes of a user's masks and their rules with the mask as GET /masks/{id} answers it (RT13). */
export const createMaskFeature = (
  { db }: Pick<Database, "db">,
  listMasks: MaskLists["list"],
  senderLists: Pick<SenderLists, "open">,
): SocketFeature => {
  const build = async (event: ChangeEvent): Promise<ServerMessage | undefined> => {
    const { userId, resourceId, action } = event;
    if (resourceId === null) return dataUpdate(event);
    if (action === "deleted") return dataUpdate(event, null);
    const row = await findMask(db, userId, resourceId);
    // The event of the deletion follows.
    return row && dataUpdate(event, toMask(row, senderLists));
  };
  return {
    resources: ["masks", "mask", "rules"],
    version: async (userId) => (await listMasks(userId, {})).tag,
    hasItem: async (userId, id) => isId(id) && (await findMask(db, userId, id)) !== undefined,
    announce: (event) => {
      const { resource, resourceId, clientId: exceptClientId } = event;
      if (resource !== "masks" && resource !== "rules") return undefined;
      const isOneMask = resource === "masks" && resourceId !== null;
      const resources = isOneMask ? ["masks", "mask"] : [resource];
      return { resources, resourceId, exceptClientId, build: () => build(event) };
    },
  };
};
