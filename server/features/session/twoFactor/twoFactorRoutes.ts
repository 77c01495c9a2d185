import type { FastifyInstance } from "fastify";
import * as endpoints from "../../../../core/session/twoFactor/twoFactorEndpoints.ts";
import { perMinute } from "../../../platform/http/httpLimits.ts";
import {
  type AuthGuard,
  routePreparedWrite,
  routeSignedIn,
  routeWrite,
} from "../../../platform/http/route.ts";
import type { UserTwoFactor } from "./userTwoFactor.ts";

export interface TwoFactorRouteDeps {
  readonly twoFactor: UserTwoFactor;
  readonly authGuard: AuthGuard;
}

/** Registers the routes that turn two-factor authentication on and off (SG2). */
export const twoFactorRoutes =
  ({ twoFactor, authGuard }: TwoFactorRouteDeps) =>
  (fastify: FastifyInstance): void => {
    const limited = { perMinute: perMinute.verify };
    routeSignedIn(fastify, authGuard, endpoints.getTwoFactor, ({ auth }) => twoFactor.status(auth.userId));
    routeWrite(
      fastify,
      authGuard,
      endpoints.setUpTwoFactor,
      ({ tx, auth }) => twoFactor.setUp(tx, auth.userId),
      limited,
    );
    routeWrite(
      fastify,
      authGuard,
      endpoints.verifySetup,
      ({ tx, auth, body }) => twoFactor.verify(tx, auth.userId, body.code),
      limited,
    );
    routePreparedWrite(
      fastify,
      authGuard,
      endpoints.disableTwoFactor,
      ({ auth, body }) => twoFactor.disable(auth.userId, body.code),
      limited,
    );
    routePreparedWrite(
      fastify,
      authGuard,
      endpoints.renewRecoveryCodes,
      ({ auth, body }) => twoFactor.renewCodes(auth.userId, body.code),
      limited,
    );
  };
