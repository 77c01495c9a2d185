import type { FastifyInstance } from "fastify";
import { deleteMask, restoreMask } from "../../../core/masks/maskEndpoints.ts";
import * as endpoints from "../../../core/trash/trashEndpoints.ts";
import type { FeatureContext } from "../../context/feature.ts";
import { perMinute } from "../../platform/http/httpLimits.ts";
import { routeSignedIn, routeWrite } from "../../platform/http/route.ts";
import { forgetTrashedMask, listTrash, restoreTrashedMask, trashMask } from "./userTrash.ts";

/** Registers the endpoints that delete masks and restore them, each limited to the signed-in user's own rows. */
export const trashRoutes =
  (context: FeatureContext) =>
  (fastify: FastifyInstance): void => {
    const { authGuard, database } = context;
    const limited = { perMinute: perMinute.masks };
    routeSignedIn(fastify, authGuard, endpoints.listTrash, ({ auth, params }) =>
      listTrash(context, database.db, auth.userId, params),
    );
    routeWrite(
      fastify,
      authGuard,
      deleteMask,
      ({ tx, auth, params }) => trashMask(context, tx, auth, params.id),
      limited,
    );
    routeWrite(
      fastify,
      authGuard,
      restoreMask,
      ({ tx, auth, params }) => restoreTrashedMask(context, tx, auth, params.id),
      limited,
    );
    routeWrite(
      fastify,
      authGuard,
      endpoints.deleteTrashedMask,
      ({ tx, auth, params }) => forgetTrashedMask(context, tx, auth, params.id),
      limited,
    );
  };
