import type { FeatureContext } from "../../context/feature.ts";
import { UseCaseError } from "../../platform/errors/useCaseError.ts";
import { type CompatibleRoute, open, signedIn } from "../../platform/http/compatibleApi.ts";
import { perMinute } from "../../platform/http/httpLimits.ts";
import { sumMasks } from "../masks/maskSums.ts";
import {
  accountChanges,
  getLogout,
  getStats,
  getUserInfo,
  passwordCalls,
  postApiKey,
  toStats,
} from "./contract/simpleLoginAccountEndpoints.ts";
import { readUserInfo } from "./userInfo.ts";

const useToken = async () => ({ error: "Use an API key", message: "Use an API key" });

const limited = { perMinute: perMinute.signIn };

/** Returns the routes of the calls about the account and its key. */
export const accountRoutes = ({ database }: Pick<FeatureContext, "database">): readonly CompatibleRoute[] => [
  signedIn(getUserInfo, {}, ({ auth }) => readUserInfo(database.db, auth)),
  signedIn(getStats, {}, async ({ auth }) => toStats(await sumMasks(database.db, auth.userId))),
  ...passwordCalls.map((call) => open(call, limited, useToken)),
  // No token is accepted for them, which the answer says.
  ...accountChanges.map((call) => signedIn(call, { ...limited, answerStored: "afterwards" }, async () => {})),
  open(getLogout, {}, async () => ({ msg: "User is logged out" })),
  open(postApiKey, limited, async () => {
    throw new UseCaseError("unauthenticated", "Create an API token in Settings and paste it here.");
  }),
];
