import type { CreateFeature } from "../../context/feature.ts";
import { accountDataRoutes } from "./accountDataRoutes.ts";
import { accountRoutes } from "./accountRoutes.ts";
import { createAccountFeature } from "./accountSocket.ts";
import { pruneAddressChanges } from "./addressChangeQueries.ts";
import { createChangeAddress } from "./changeAddress.ts";
import { createDeleteAccount } from "./deleteAccount.ts";
import { profileRoutes } from "./profileRoutes.ts";
import { createRequestAddress } from "./requestAddress.ts";

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
