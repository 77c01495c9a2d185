import type { FastifyInstance } from "fastify";
import { deleteMask, restoreMask } from "../../../core/masks/maskEndpoints.ts";
import { deleteTrashedMask, listTrash } from "../../../core/trash/trashEndpoints.ts";
import { perMinute } from "../../platform/http/httpLimits.ts";
import { type AuthGuard, routeSignedIn } from "../../platform/http/route.ts";
import type { UserTrash } from "./userTrash.ts";

/** Registers the endpoints that delete masks and restore them, each limited to the signed-in user's own rows. */
export const trashRoutes =
  ({ trash, authGuard }: { readonly trash: UserTrash; readonly authGuard: AuthGuard }) =>
  (fastify: FastifyInstance): void => {
    const limited = { perMinute: perMinute.masks };
    routeSignedIn(fastify, authGuard, listTrash, ({ auth, params }) => trash.list(auth.userId, params));
    routeSignedIn(
      fastify,
      authGuard,
      deleteMask,
      ({ auth, params, recordAnswer }) => trash.add(auth, params.id, recordAnswer),
      limited,
    );
    routeSignedIn(
      fastify,
      authGuard,
      restoreMask,
      ({ auth, params, recordAnswer }) => trash.restore(auth, params.id, recordAnswer),
      limited,
    );
    routeSignedIn(
      fastify,
      authGuard,
      deleteTrashedMask,
      ({ auth, params, recordAnswer }) => trash.remove(auth, params.id, recordAnswer),
      limited,
    );
  };
