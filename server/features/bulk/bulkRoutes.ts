import type { FastifyInstance } from "fastify";
import { postBulkChange } from "../../../core/bulk/bulkChange.ts";
import { perMinute } from "../../platform/http/limits.ts";
import { type AuthGuard, routeSignedIn } from "../../platform/http/route.ts";
import type { MaskDeps } from "../maskDeps.ts";
import { createChangeMasks } from "./bulkChange.ts";

/** Registers the endpoint that changes several of the signed-in user's masks at once. */
export const bulkRoutes =
  ({ deps, authGuard }: { readonly deps: MaskDeps; readonly authGuard: AuthGuard }) =>
  (fastify: FastifyInstance): void => {
    const changeMasks = createChangeMasks(deps);
    routeSignedIn(
      fastify,
      authGuard,
      postBulkChange,
      ({ auth, body, recordAnswer }) => changeMasks(auth, body, recordAnswer),
      { perMinute: perMinute.masks },
    );
  };
