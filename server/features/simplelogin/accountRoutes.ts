import type { FastifyInstance } from "fastify";
import type { FeatureContext } from "../../context/feature.ts";
import { UseCaseError } from "../../platform/errors/useCaseError.ts";
import { perMinute } from "../../platform/http/httpLimits.ts";
import { route, routeSignedIn } from "../../platform/http/route.ts";
import { sumMasks } from "../masks/maskSums.ts";
import {
  accountChanges,
  getLogout,
  getStats,
  getUserInfo,
  passwordCalls,
  postApiKey,
  toStats,
} from "./contract/accountEndpoints.ts";
import { readUserInfo } from "./userInfo.ts";

const useToken = async () => ({ error: "Use an API key", message: "Use an API key" });

/** Registers the calls about the account and its key. */
export const accountRoutes =
  ({ database, authGuard }: Pick<FeatureContext, "database" | "authGuard">) =>
  (fastify: FastifyInstance): void => {
    const limited = { perMinute: perMinute.signIn };
    routeSignedIn(fastify, authGuard, getUserInfo, ({ auth }) => readUserInfo(database.db, auth));
    routeSignedIn(fastify, authGuard, getStats, async ({ auth }) =>
      toStats(await sumMasks(database.db, auth.userId)),
    );
    for (const call of passwordCalls) route(fastify, call, useToken, limited);
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
