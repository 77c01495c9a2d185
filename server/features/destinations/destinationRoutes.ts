import type { FastifyInstance } from "fastify";
import {
  deleteDestination,
  listDestinations,
  patchDestination,
  postDestination,
} from "../../../core/destinations/destinationEndpoints.ts";
import { pageOf } from "../../platform/answers/listPage.ts";
import { fieldError } from "../../platform/errors/useCaseError.ts";
import { perMinute } from "../../platform/http/httpLimits.ts";
import { type AuthGuard, routePreparedWrite, routeSignedIn, routeWrite } from "../../platform/http/route.ts";
import { afterCommit } from "../../platform/store/afterCommit.ts";
import { recordMaskChange } from "../maskChanges/maskChanges.ts";
import type { MaskDeps } from "../maskChanges/maskDeps.ts";
import { addDestination, readDestinations, removeDestination } from "./destinationChanges.ts";
import { createEditDestination } from "./editDestination.ts";

export interface DestinationRouteDeps {
  readonly deps: MaskDeps;
  readonly authGuard: AuthGuard;
}

const keyFields = ["publicKey", "addKeys", "removeKeys"] as const;

/** Registers the endpoints of a user's destinations. */
export const destinationRoutes =
  ({ deps, authGuard }: DestinationRouteDeps) =>
  (fastify: FastifyInstance): void => {
    const { database, delivery, clock } = deps;
    const editDestination = createEditDestination(deps);
    routeSignedIn(fastify, authGuard, listDestinations, async ({ auth, params }) => {
      const all = await readDestinations(database.db, auth.userId);
      const { page, isMore } = pageOf(all, params, { idOf: ({ id }) => id, what: "destination" });
      return { destinations: [...page], ...(isMore && { isMore }) };
    });
    routeWrite(
      fastify,
      authGuard,
      postDestination,
      async ({ tx, auth, body }) => {
        afterCommit(tx, delivery.wake);
        return addDestination(tx, deps, auth, body.email);
      },
      { perMinute: perMinute.masks, addsData: true },
    );
    routePreparedWrite(
      fastify,
      authGuard,
      patchDestination,
      async ({ auth, params, body }) => {
        const keyField = keyFields.find((field) => body[field] !== undefined);
        if (auth.token !== null && keyField !== undefined)
          throw fieldError(
            "forbidden",
            keyField,
            "API tokens cannot change keys. Log in to the app instead.",
          );
        if (keyField !== undefined) await authGuard.assertRecentlyProven(auth);
        const edit = await editDestination(body);
        return (tx) => edit(tx, auth.userId, params.id);
      },
      { perMinute: perMinute.verify },
    );
    routeWrite(
      fastify,
      authGuard,
      deleteDestination,
      async ({ tx, auth, params, body }) => {
        const now = clock.now();
        await removeDestination(tx, { userId: auth.userId, id: params.id, removal: body, now });
        await recordMaskChange(tx, auth, "updated", null, now);
      },
      { perMinute: perMinute.masks },
    );
  };
