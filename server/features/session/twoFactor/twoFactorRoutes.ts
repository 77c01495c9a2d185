import type { FastifyInstance } from "fastify";
import * as endpoints from "../../../../core/session/twoFactor/twoFactorEndpoints.ts";
import { perMinute } from "../../../platform/http/httpLimits.ts";
import {
  type AuthGuard,
  routePreparedWrite,
  routeSignedIn,
  routeWrite,
} from "../../../platform/http/route.ts";
import {
  disableTwoFactor,
  enableTwoFactor,
  offerTwoFactor,
  readTwoFactor,
  renewRecoveryCodes,
  type TwoFactorContext,
} from "./userTwoFactor.ts";

/** Registers the routes that turn two-factor authentication on and off (SG2). */
export const twoFactorRoutes =
  (context: TwoFactorContext & { readonly authGuard: AuthGuard }) =>
  (fastify: FastifyInstance): void => {
    const { authGuard, database } = context;
    const limited = { perMinute: perMinute.verify };
    routeSignedIn(fastify, authGuard, endpoints.getTwoFactor, ({ auth }) =>
      readTwoFactor(database.db, auth.userId),
    );
    routeWrite(
      fastify,
      authGuard,
      endpoints.setUpTwoFactor,
      ({ tx, auth }) => offerTwoFactor(context, tx, auth.userId),
      limited,
    );
    routeWrite(
      fastify,
      authGuard,
      endpoints.verifySetup,
      ({ tx, auth, body }) => enableTwoFactor(context, tx, auth.userId, body.code),
      limited,
    );
    routePreparedWrite(
      fastify,
      authGuard,
      endpoints.disableTwoFactor,
      ({ auth, body }) => disableTwoFactor(context, auth.userId, body.code),
      limited,
    );
    routePreparedWrite(
      fastify,
      authGuard,
      endpoints.renewRecoveryCodes,
      ({ auth, body }) => renewRecoveryCodes(context, auth.userId, body.code),
      limited,
    );
  };
