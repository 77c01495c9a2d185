import type { FastifyInstance } from "fastify";
import * as endpoints from "../../../../core/session/twoFactor/twoFactorEndpoints.ts";
import { perMinute } from "../../../platform/http/httpLimits.ts";
import { type AuthGuard, routeSignedIn } from "../../../platform/http/route.ts";
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
    routeSignedIn(
      fastify,
      authGuard,
      endpoints.setUpTwoFactor,
      ({ auth, recordAnswer }) => twoFactor.setUp(auth.userId, recordAnswer),
      limited,
    );
    routeSignedIn(
      fastify,
      authGuard,
      endpoints.verifySetup,
      ({ auth, body, recordAnswer }) => twoFactor.verify(auth.userId, body.code, recordAnswer),
      limited,
    );
    routeSignedIn(
      fastify,
      authGuard,
      endpoints.disableTwoFactor,
      ({ auth, body, recordAnswer }) => twoFactor.disable(auth.userId, body.code, recordAnswer),
      limited,
    );
    routeSignedIn(
      fastify,
      authGuard,
      endpoints.renewRecoveryCodes,
      ({ auth, body, recordAnswer }) => twoFactor.renewCodes(auth.userId, body.code, recordAnswer),
      limited,
    );
  };
