import type { Clock } from "../../../core/ports/clock.ts";
import type { RepliesPerDay } from "../../../core/tiers/tier.ts";
import type { CreateFeature } from "../../context/feature.ts";
import { dataUpdate, type SocketFeature } from "../../platform/socket/socketFeature.ts";
import type { Database } from "../../platform/store/database.ts";
import { accountDataRoutes } from "./accountDataRoutes.ts";
import { accountRoutes, readAccount } from "./accountRoutes.ts";
import { pruneAddressChanges } from "./addressChangeQueries.ts";
import { createChangeAddress } from "./changeAddress.ts";
import { createDeleteAccount } from "./deleteAccount.ts";
import { profileRoutes } from "./profileRoutes.ts";
import { createRequestAddress } from "./requestAddress.ts";

/** The changes that affect the shown account: the account, its key, and the usage of masks. */
const accountChanges = new Set(["account", "keys", "masks"]);

/** Announces the account as GET /account answers it, to every client (RT13). */
const createAccountFeature = (
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

/** The account, its profile and its data. */
export const accountFeature: CreateFeature = (context) => {
  const { database, clock, config, session } = context;
  const { repliesPerDay } = config;
  const shared = { ...context, ...session };
  return {
    routes: [
      accountRoutes({ ...context, repliesPerDay }),
      accountDataRoutes(context, createDeleteAccount(shared)),
      profileRoutes({
        ...context,
        requestAddress: createRequestAddress(context),
        changeAddress: createChangeAddress(shared),
      }),
    ],
    socket: [createAccountFeature(database, clock, repliesPerDay)],
    prune: { pruneAddressChanges },
  };
};
