import type { FastifyInstance } from "fastify";
import * as endpoints from "../../../core/encryption/keyEndpoints.ts";
import type { FeatureContext } from "../../context/feature.ts";
import { perMinute } from "../../platform/http/httpLimits.ts";
import { routePreparedWrite, routeSignedIn, routeWrite } from "../../platform/http/route.ts";
import { listKeys, publishKey, readKeyStatus, removeKey, setUpKey } from "./userKeys.ts";

/** Registers the endpoints of the key that a user's mail is encrypted to (KE3). */
export const keyRoutes =
  (context: FeatureContext) =>
  (fastify: FastifyInstance): void => {
    const { authGuard, database } = context;
    const limited = { perMinute: perMinute.verify };
    routeSignedIn(fastify, authGuard, endpoints.getKeyStatus, ({ auth }) =>
      readKeyStatus(database.db, auth.userId),
    );
    routeSignedIn(fastify, authGuard, endpoints.getKeys, ({ auth }) => listKeys(database.db, auth.userId));
    routePreparedWrite(
      fastify,
      authGuard,
      endpoints.setUpKeys,
      async ({ auth, body }) => {
        if (body.publicKey !== undefined) await authGuard.assertRecentlyProven(auth);
        return setUpKey(context, auth.userId, body.publicKey);
      },
      limited,
    );
    routeWrite(fastify, authGuard, endpoints.publishKey, ({ tx, auth, body }) =>
      publishKey(context, tx, auth.userId, body.published),
    );
    routeWrite(
      fastify,
      authGuard,
      endpoints.deleteKeys,
      ({ tx, auth }) => removeKey(context, tx, auth.userId),
      limited,
    );
  };
