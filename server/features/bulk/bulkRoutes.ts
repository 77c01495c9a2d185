import type { FastifyInstance } from "fastify";
import { type BulkResult, postBulkChange } from "../../../core/bulk/bulkChange.ts";
import { statusOfKind } from "../../platform/http/httpError.ts";
import { perMinute } from "../../platform/http/httpLimits.ts";
import { type AuthGuard, routeWrite } from "../../platform/http/route.ts";
import type { MaskDeps } from "../maskChanges/maskDeps.ts";
import { changeMasks, type MaskResult } from "./bulkChange.ts";

const toBulkResult = ({ id, refusal }: MaskResult): BulkResult =>
  refusal ? { id, status: statusOfKind[refusal.kind], message: refusal.message } : { id, status: 200 };

/** Registers the endpoint that changes several of the signed-in user's masks at once. */
export const bulkRoutes =
  ({ deps, authGuard }: { readonly deps: MaskDeps; readonly authGuard: AuthGuard }) =>
  (fastify: FastifyInstance): void => {
    routeWrite(
      fastify,
      authGuard,
      postBulkChange,
      async ({ tx, auth, body }) => ({
        results: (await changeMasks(deps, tx, auth, body)).map(toBulkResult),
      }),
      { perMinute: perMinute.masks },
    );
  };
