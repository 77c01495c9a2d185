import type { AuthContext } from "../../platform/store/authContext.ts";
import type { MaskDeps } from "../maskChanges/maskDeps.ts";
import { resolveDestination } from "./destination.ts";
import { findDestinations } from "./destinationQueries.ts";

/** True if a caller may know where mail goes; a program that only makes masks may not. */
export const mayKnowDestinations = ({ token }: Pick<AuthContext, "token">): boolean =>
  token === null || token.scopes.some((scope) => scope === "masks:read" || scope === "destinations");

/** Makes the account's own address a destination, which the first mask does otherwise; nothing once there is one. */
export const ensureDefaultDestination = async (deps: MaskDeps, userId: string): Promise<void> => {
  if (
    (await findDestinations(deps.database.db, userId)).some(
      (row) => row.is_default === 1 || Number(row.is_account) === 1,
    )
  )
    return;
  await deps.database.transaction((tx) => resolveDestination(tx, deps, { userId }, { forwardTo: undefined }));
};
