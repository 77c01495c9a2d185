import type { Clock } from "../../../core/ports/clock.ts";
import type { RepliesPerDay } from "../../../core/tiers/tier.ts";
import { dataUpdate, type SocketFeature } from "../../platform/socket/socketFeature.ts";
import type { Database } from "../../platform/store/database.ts";
import { readAccount } from "./accountRoutes.ts";

/** The changes that affect the shown account: the account, its key, and the usage of masks. */
const accountChanges = new Set(["account", "keys", "masks"]);

/** Announces the account as GET /account answers it, to every client (RT13). */
export const createAccountFeature = (
  { db }: Pick<Database, "db">,
  clock: Pick<Clock, "now">,
  repliesPerDay: RepliesPerDay,
): SocketFeature => ({
  resources: ["account"],
  announce: ({ userId, resource }) => {
    if (!accountChanges.has(resource)) return undefined;
    return {
      resources: ["account"],
      resourceId: null,
      exceptClientId: null,
      build: async () => {
        const account = await readAccount(db, userId, { now: clock.now(), repliesPerDay });
        return account && dataUpdate({ resource: "account", resourceId: null, action: "updated" }, account);
      },
    };
  },
});
