import type { FastifyInstance } from "fastify";
import * as endpoints from "../../../core/appPasswords/appPasswordEndpoints.ts";
import type { FeatureContext } from "../../context/feature.ts";
import { perMinute } from "../../platform/http/httpLimits.ts";
import { routePreparedWrite, routeSignedIn, routeWrite } from "../../platform/http/route.ts";
import { listAppPasswords, makeAppPassword, revokeAppPassword } from "./userAppPasswords.ts";

/** Registers the endpoints of app passwords, each limited to the signed-in user's own. */
export const appPasswordRoutes =
  (context: FeatureContext) =>
  (fastify: FastifyInstance): void => {
    const { authGuard, database, submissionServer } = context;
    routeSignedIn(fastify, authGuard, endpoints.listAppPasswords, async ({ auth }) => ({
      passwords: await listAppPasswords(database.db, auth.userId),
      server: submissionServer(),
    }));
    routePreparedWrite(
      fastify,
      authGuard,
      endpoints.postAppPassword,
      ({ auth, body }) => makeAppPassword(context, auth.userId, body.name),
      { perMinute: perMinute.signIn },
    );
    routeWrite(fastify, authGuard, endpoints.deleteAppPassword, ({ tx, auth, params }) =>
      revokeAppPassword(context, tx, auth.userId, params.id),
    );
  };
