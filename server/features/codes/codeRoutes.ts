import type { FastifyInstance } from "fastify";
import { deleteCode, listCodes, listMaskCodes } from "../../../core/codes/codeEndpoints.ts";
import type { FeatureContext } from "../../context/feature.ts";
import { perMinute } from "../../platform/http/httpLimits.ts";
import { routeSignedIn, routeWrite } from "../../platform/http/route.ts";
import { listCodesOfMask, listUserCodes, useCode } from "./userCodes.ts";

/** Registers the endpoints of codes in mail, each limited to the caller's own rows. */
export const codeRoutes =
  ({
    database: { db },
    seal,
    clock,
    authGuard,
  }: Pick<FeatureContext, "database" | "seal" | "clock" | "authGuard">) =>
  (fastify: FastifyInstance): void => {
    const limited = { perMinute: perMinute.notifications };
    const deps = () => ({ db, seal, now: clock.now() });

    routeSignedIn(fastify, authGuard, listCodes, ({ auth }) => listUserCodes(deps(), auth), limited);

    routeSignedIn(
      fastify,
      authGuard,
      listMaskCodes,
      ({ auth, params }) => listCodesOfMask(deps(), auth, params.id),
      limited,
    );

    routeWrite(
      fastify,
      authGuard,
      deleteCode,
      ({ tx, auth, params: { id: maskId, codeId } }) =>
        useCode({ db: tx, now: clock.now() }, auth, { maskId, codeId }),
      limited,
    );
  };
