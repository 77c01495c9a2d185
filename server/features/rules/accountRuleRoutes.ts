import type { FastifyInstance } from "fastify";
import {
  getAccountRuleCounts,
  getAccountRules,
  putAccountRules,
} from "../../../core/rules/account/accountRuleEndpoints.ts";
import { perMinute } from "../../platform/http/httpLimits.ts";
import { type AuthGuard, routePreparedWrite, routeSignedIn } from "../../platform/http/route.ts";
import type { MaskDeps } from "../maskChanges/maskDeps.ts";
import { readAccountRuleCounts } from "./accountRuleQueries.ts";
import { editAccountRules, readAccountRules } from "./accountRules.ts";
import { parseIfMatch, toEtag } from "./ruleVersions.ts";

/** Registers the endpoints of the rules for all masks of a user. */
export const accountRuleRoutes =
  ({ deps, authGuard }: { readonly deps: MaskDeps; readonly authGuard: AuthGuard }) =>
  (fastify: FastifyInstance): void => {
    const { db } = deps.database;
    routeSignedIn(fastify, authGuard, getAccountRules, ({ auth }) => readAccountRules(db, auth.userId));
    routeSignedIn(fastify, authGuard, getAccountRuleCounts, async ({ auth }) => ({
      rules: await readAccountRuleCounts(db, auth.userId),
    }));
    routePreparedWrite(
      fastify,
      authGuard,
      putAccountRules,
      async ({ auth, params, body, request }) =>
        editAccountRules(deps, auth, {
          place: params.place,
          rules: body.rules,
          baseVersion: parseIfMatch(request.headers["if-match"]),
        }),
      { perMinute: perMinute.masks, addsData: true, etag: ({ version }) => toEtag(version) },
    );
  };
