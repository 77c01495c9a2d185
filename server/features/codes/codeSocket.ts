import type { FeatureContext } from "../../context/feature.ts";
import { dataUpdate, type SocketFeature } from "../../platform/socket/socketFeature.ts";
import { codesResource, findCode } from "./codeQueries.ts";
import { mayReadCodesOf, toMailCode } from "./userCodes.ts";

/** Announces codes that arrive, whole, and those that were used. An API token is told of those that it may read. */
export const createCodeSocket = ({
  database: { db },
  seal,
  clock,
}: Pick<FeatureContext, "database" | "seal" | "clock">): SocketFeature => ({
  resources: [codesResource],
  announce: ({ userId, resource, resourceId, action }) => {
    if (resource !== codesResource || resourceId === null) return undefined;
    const find = () => findCode(db, { id: resourceId, userId }, clock.now());
    return {
      resources: [codesResource],
      resourceId,
      exceptClientId: null,
      mayBeTold: async (token) => {
        const row = await find();
        return mayReadCodesOf(token, row?.made_by_token ?? null);
      },
      build: async () => {
        if (action === "deleted") return dataUpdate({ resource, resourceId, action }, null);
        const row = await find();
        const data = row && toMailCode(seal, row);
        return data && { type: "code", data };
      },
    };
  },
});
