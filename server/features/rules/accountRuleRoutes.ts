import type { FastifyInstance } from "fastify";
import {
  getAccountRuleCounts,
  getAccountRules,
  putAccountRules,
} from "../../../core/rules/account/accountRuleEndpoints.ts";
import { perMinute } from "../../platform/http/httpLimits.ts";
import { type AuthGuard, routeSignedIn } from "../../platform/http/route.ts";
import type { MaskDeps } from "../maskChanges/maskDeps.ts";
import { readAccountRuleCounts } from "./accountRuleQueries.ts";
import { createEditAccountRules, readAccountRules } from "./accountRules.ts";
import { parseIfMatch, toEtag } from "./ruleVersions.ts";

/** Registers the endpoints of the rules for all masks of a user. */
export const accountRuleRoutes =
  ({ deps, authGuard }: { readonly deps: MaskDeps; readonly authGuard: AuthGuard }) =>
  (fastify: FastifyInstance): void => {
    const { db } = deps.database;
    const edit = createEditAccountRules(deps);
    routeSignedIn(fastify, authGuard, getAccountRules, ({ auth }) => readAccountRules(db, auth.userId));
    routeSignedIn(fastify, authGuard, getAccountRuleCounts, async ({ auth }) => ({
      rules: await readAccountRuleCounts(db, auth.userId),
    }));
    routeSignedIn(
      fastify,
      authGuard,
      putAccountRules,
      ({ auth, params, body, request, recordAnswer }) =>
        edit(
          auth,
          { place: params.place, rules: body.rules, baseVersion: parseIfMatch(request.headers["if-match"]) },
          recordAnswer,
        ),
      { perMinute: perMinute.masks, addsData: true, etag: ({ version }) => toEtag(version) },
    );
  };
