import type { FastifyInstance } from "fastify";
import {
  accountChanges,
  getLogout,
  getStats,
  getUserInfo,
  passwordCalls,
  postApiKey,
  toStats,
  type UserInfo,
} from "../../../core/simplelogin/accountEndpoints.ts";
import { limitsOf, mayChoosePrefix, parseTier } from "../../../core/tiers/tier.ts";
import { UseCaseError } from "../../platform/errors/useCaseError.ts";
import { perMinute } from "../../platform/http/limits.ts";
import { route, routeSignedIn } from "../../platform/http/route.ts";
import type { AuthContext } from "../../platform/store/authContext.ts";
import type { Db } from "../../platform/store/database.ts";
import type { FeatureContext } from "../feature.ts";
import { sumMasks } from "../masks/maskSums.ts";
import { getUser } from "../session/user.ts";

/** The greatest number of masks that is said; clients read it as an integer of 32 bits. */
const endless = 2 ** 31 - 1;

/** The address is told to tokens alone that may read the account. */
const readUserInfo = async (db: Db, { userId, token }: AuthContext): Promise<UserInfo> => {
  const { email, tier } = await getUser(db, userId);
  const isKnown = token?.scopes.includes("account:read") === true;
  const { masks } = limitsOf[parseTier(tier)];
  return {
    name: token?.name ?? "",
    email: isKnown ? email : "",
    is_premium: masks === null || mayChoosePrefix(tier),
    in_trial: false,
    trial_end_timestamp: null,
    max_alias_free_plan: masks ?? endless,
    connected_proton_address: null,
    can_create_reverse_alias: token?.scopes.includes("correspondents") === true,
    profile_picture_url: null,
  };
};

const useToken = async () => ({ error: "Use an API key", message: "Use an API key" });

/** Registers the calls about the account and its key. */
export const accountRoutes =
  ({ database, authGuard }: Pick<FeatureContext, "database" | "authGuard">) =>
  (fastify: FastifyInstance): void => {
    const limited = { perMinute: perMinute.signIn };
    const refused = { ...limited, status: 403 };
    routeSignedIn(fastify, authGuard, getUserInfo, ({ auth }) => readUserInfo(database.db, auth));
    routeSignedIn(fastify, authGuard, getStats, async ({ auth }) =>
      toStats(await sumMasks(database.db, auth.userId)),
    );
    for (const call of passwordCalls) route(fastify, call, useToken, refused);
    // No token is accepted for them, which the answer says.
    for (const call of accountChanges) routeSignedIn(fastify, authGuard, call, async () => {}, limited);
    route(fastify, getLogout, async () => ({ msg: "User is logged out" }));
    route(
      fastify,
      postApiKey,
      async () => {
        throw new UseCaseError("unauthenticated", "Make an API token in Settings and paste it here.");
      },
      limited,
    );
  };
