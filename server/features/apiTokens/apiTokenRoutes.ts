import type { FastifyInstance } from "fastify";
import * as endpoints from "../../../core/apiTokens/apiTokenEndpoints.ts";
import { UseCaseError } from "../../platform/errors/useCaseError.ts";
import { perMinute } from "../../platform/http/limits.ts";
import { type AuthGuard, routeSignedIn } from "../../platform/http/route.ts";
import type { UserApiTokens } from "./userApiTokens.ts";

export interface ApiTokenRouteDeps {
  readonly tokens: UserApiTokens;
  readonly authGuard: AuthGuard;
}

/** Registers the endpoints of API tokens, each limited to the signed-in user's own. */
export const apiTokenRoutes =
  ({ tokens, authGuard }: ApiTokenRouteDeps) =>
  (fastify: FastifyInstance): void => {
    routeSignedIn(fastify, authGuard, endpoints.listApiTokens, async ({ auth }) => ({
      tokens: await tokens.list(auth.userId),
    }));
    routeSignedIn(
      fastify,
      authGuard,
      endpoints.postApiToken,
      ({ auth, body, recordAnswer }) => tokens.create(auth.userId, body, recordAnswer),
      { perMinute: perMinute.signIn },
    );
    routeSignedIn(fastify, authGuard, endpoints.patchApiToken, ({ auth, params, body, recordAnswer }) =>
      tokens.rename(auth.userId, { id: params.id, name: body.name }, recordAnswer),
    );
    routeSignedIn(fastify, authGuard, endpoints.deleteApiToken, ({ auth, params, recordAnswer }) =>
      tokens.revoke(auth.userId, params.id, recordAnswer),
    );
    routeSignedIn(fastify, authGuard, endpoints.getOwnApiToken, async ({ auth }) => {
      if (auth.token === null)
        throw new UseCaseError("missing", "This request is made with a session, not with an API token.");
      return tokens.get(auth.userId, auth.token.id);
    });
  };
