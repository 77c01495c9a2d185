import type { FastifyInstance } from "fastify";
import * as endpoints from "../../../core/encryption/keyEndpoints.ts";
import { perMinute } from "../../platform/http/httpLimits.ts";
import { type AuthGuard, routeSignedIn } from "../../platform/http/route.ts";
import type { UserKeys } from "./userKeys.ts";

/** Registers the endpoints of the key that a user's mail is encrypted to (KE3). */
export const keyRoutes =
  ({ keys, authGuard }: { readonly keys: UserKeys; readonly authGuard: AuthGuard }) =>
  (fastify: FastifyInstance): void => {
    const limited = { perMinute: perMinute.verify };
    routeSignedIn(fastify, authGuard, endpoints.getKeyStatus, ({ auth }) => keys.status(auth.userId));
    routeSignedIn(fastify, authGuard, endpoints.getKeys, ({ auth }) => keys.list(auth.userId));
    routeSignedIn(
      fastify,
      authGuard,
      endpoints.setUpKeys,
      async ({ auth, body, recordAnswer }) => {
        if (body.publicKey !== undefined) await authGuard.assertRecentlyProven(auth);
        return keys.setUp(auth.userId, body.publicKey, recordAnswer);
      },
      limited,
    );
    routeSignedIn(fastify, authGuard, endpoints.publishKey, ({ auth, body, recordAnswer }) =>
      keys.publish(auth.userId, body.published, recordAnswer),
    );
    routeSignedIn(
      fastify,
      authGuard,
      endpoints.deleteKeys,
      ({ auth, recordAnswer }) => keys.remove(auth.userId, recordAnswer),
      limited,
    );
  };
