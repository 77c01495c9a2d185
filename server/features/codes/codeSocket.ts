import type { FeatureContext } from "../../context/feature.ts";
import { dataUpdate, type SocketFeature } from "../../platform/socket/socketFeature.ts";
import { codeOfEvent, codesResource, findMaker, findStoredCode } from "./codeQueries.ts";
import { mayReadCodesOf, toMailCode } from "./userCodes.ts";

/** Announces codes that arrive, whole, and those that are deleted before they expire. An API token is told of those that it may read. */
export const createCodeSocket = ({
  database: { db },
  seal,
  clock,
}: Pick<FeatureContext, "database" | "seal" | "clock">): SocketFeature => ({
  resources: [codesResource],
  announce: ({ userId, resource, resourceId, action }) => {
    const code = resource === codesResource ? codeOfEvent(resourceId) : undefined;
    if (!code) return undefined;
    const { id, maskId } = code;
    return {
      resources: [codesResource],
      resourceId: id,
      exceptClientId: null,
      mayBeTold: async (token) => mayReadCodesOf(token, await findMaker(db, { userId, maskId })),
      build: async () => {
        if (action === "deleted") return dataUpdate({ resource, resourceId: id, action }, null);
        const row = await findStoredCode(db, { id, userId }, clock.now());
        const data = row && toMailCode(seal, row);
        return data && { type: "code", data };
      },
    };
  },
});
