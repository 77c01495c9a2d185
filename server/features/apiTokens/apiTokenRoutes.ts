import type { FastifyInstance } from "fastify";
import * as endpoints from "../../../core/apiTokens/apiTokenEndpoints.ts";
import type { FeatureContext } from "../../context/feature.ts";
import { UseCaseError } from "../../platform/errors/useCaseError.ts";
import { perMinute } from "../../platform/http/httpLimits.ts";
import { routeSignedIn, routeWrite } from "../../platform/http/route.ts";
import {
  changeApiTokenName,
  endApiToken,
  getApiToken,
  listApiTokens,
  makeApiToken,
} from "./userApiTokens.ts";

/** Registers the endpoints of API tokens, each limited to the signed-in user's own. */
export const apiTokenRoutes =
  (context: FeatureContext) =>
  (fastify: FastifyInstance): void => {
    const { authGuard } = context;
    const { db } = context.database;
    routeSignedIn(fastify, authGuard, endpoints.listApiTokens, async ({ auth }) => ({
      tokens: await listApiTokens(db, auth.userId),
    }));
    routeWrite(
      fastify,
      authGuard,
      endpoints.postApiToken,
      ({ tx, auth, body }) => makeApiToken(context, tx, auth.userId, body),
      { perMinute: perMinute.signIn },
    );
    routeWrite(fastify, authGuard, endpoints.patchApiToken, ({ tx, auth, params, body }) =>
      changeApiTokenName(context, tx, auth.userId, { id: params.id, name: body.name }),
    );
    routeWrite(fastify, authGuard, endpoints.deleteApiToken, ({ tx, auth, params }) =>
      endApiToken(context, tx, auth.userId, params.id),
    );
    routeSignedIn(fastify, authGuard, endpoints.getOwnApiToken, async ({ auth }) => {
      if (auth.token === null)
        throw new UseCaseError("missing", "This request comes with a session, not with an API token.");
      return getApiToken(db, auth.userId, auth.token.id);
    });
  };
