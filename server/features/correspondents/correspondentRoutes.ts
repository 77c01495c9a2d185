import type { FastifyInstance } from "fastify";
import * as endpoints from "../../../core/correspondents/correspondentEndpoints.ts";
import type { FeatureContext } from "../../context/feature.ts";
import { perMinute } from "../../platform/http/httpLimits.ts";
import { routeSignedIn, routeWrite } from "../../platform/http/route.ts";
import {
  addCorrespondent,
  blockCorrespondent,
  type CorrespondentsContext,
  forgetCorrespondent,
  listCorrespondents,
} from "./correspondents.ts";

/** Registers the endpoints of a mask's correspondents, each limited to the signed-in user's own masks. */
export const correspondentRoutes =
  (context: CorrespondentsContext & Pick<FeatureContext, "database" | "authGuard">) =>
  (fastify: FastifyInstance): void => {
    const { authGuard, database } = context;
    const limited = { perMinute: perMinute.masks };
    routeSignedIn(
      fastify,
      authGuard,
      endpoints.listCorrespondents,
      ({ auth: { userId }, params }) =>
        listCorrespondents(context, database.db, { userId, maskId: params.id }, params),
      limited,
    );
    routeWrite(
      fastify,
      authGuard,
      endpoints.postCorrespondent,
      ({ tx, auth: { userId }, params, body }) =>
        addCorrespondent(context, tx, { userId, maskId: params.id }, { name: "", address: body.address }),
      limited,
    );
    routeWrite(
      fastify,
      authGuard,
      endpoints.putCorrespondent,
      ({ tx, auth: { userId }, params, body }) =>
        blockCorrespondent(
          context,
          tx,
          { userId, maskId: params.id },
          { id: params.correspondent, isBlocked: body.blocked },
        ),
      limited,
    );
    routeWrite(
      fastify,
      authGuard,
      endpoints.deleteCorrespondent,
      ({ tx, auth: { userId }, params }) =>
        forgetCorrespondent(context, tx, { userId, maskId: params.id }, params.correspondent),
      limited,
    );
  };
