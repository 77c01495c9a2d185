import type { FastifyInstance } from "fastify";
import * as endpoints from "../../core/twoFactor/twoFactorEndpoints.ts";
import { perMinute } from "../http/limits.ts";
import { type Door, routeSignedIn } from "../http/route.ts";
import type { UserTwoFactor } from "./userTwoFactor.ts";

export interface TwoFactorRouteParts {
  readonly twoFactor: UserTwoFactor;
  readonly door: Door;
}

/** Turning two-factor authentication on and off (SG2). */
export const twoFactorRoutes =
  ({ twoFactor, door }: TwoFactorRouteParts) =>
  (fastify: FastifyInstance): void => {
    const limited = { perMinute: perMinute.verify };
    routeSignedIn(fastify, door, endpoints.getTwoFactor, ({ caller }) => twoFactor.status(caller.userId));
    routeSignedIn(
      fastify,
      door,
      endpoints.setUpTwoFactor,
      ({ caller, keep }) => twoFactor.setUp(caller.userId, keep),
      limited,
    );
    routeSignedIn(
      fastify,
      door,
      endpoints.verifySetup,
      ({ caller, body, keep }) => twoFactor.verify(caller.userId, body.code, keep),
      limited,
    );
    routeSignedIn(
      fastify,
      door,
      endpoints.disableTwoFactor,
      ({ caller, body, keep }) => twoFactor.disable(caller.userId, body.code, keep),
      limited,
    );
    routeSignedIn(
      fastify,
      door,
      endpoints.renewRecoveryCodes,
      ({ caller, body, keep }) => twoFactor.renewCodes(caller.userId, body.code, keep),
      limited,
    );
  };
