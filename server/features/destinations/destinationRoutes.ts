import type { FastifyInstance } from "fastify";
import {
  deleteDestination,
  listDestinations,
  patchDestination,
  postDestination,
} from "../../../core/destinations/destinationEndpoints.ts";
import { pageOf } from "../../platform/answers/listPage.ts";
import { fieldError } from "../../platform/errors/useCaseError.ts";
import { perMinute } from "../../platform/http/limits.ts";
import { type AuthGuard, routeSignedIn } from "../../platform/http/route.ts";
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
    const { database, delivery, feed, clock } = deps;
    const editDestination = createEditDestination(deps);
    routeSignedIn(fastify, authGuard, listDestinations, async ({ auth, params }) => {
      const all = await readDestinations(database.db, auth.userId);
      const { page, isMore } = pageOf(all, params, { idOf: ({ id }) => id, what: "destination" });
      return { destinations: [...page], ...(isMore && { isMore }) };
    });
    routeSignedIn(
      fastify,
      authGuard,
      postDestination,
      async ({ auth, body, recordAnswer }) => {
        const answer = await database.transaction(async (db) =>
          recordAnswer(db, await addDestination(db, deps, auth, body.email)),
        );
        feed.wake();
        delivery.wake();
        return answer;
      },
      { perMinute: perMinute.masks, addsData: true },
    );
    routeSignedIn(
      fastify,
      authGuard,
      patchDestination,
      async ({ auth, params, body, recordAnswer }) => {
        const keyField = keyFields.find((field) => body[field] !== undefined);
        if (auth.token !== null && keyField !== undefined)
          throw fieldError(
            "forbidden",
            keyField,
            "API tokens cannot change keys. Log in to the app instead.",
          );
        if (keyField !== undefined) await authGuard.assertRecentlyProven(auth);
        const edit = await editDestination(body);
        const answer = await database.transaction(async (db) =>
          recordAnswer(db, await edit(db, auth.userId, params.id)),
        );
        feed.wake();
        return answer;
      },
      { perMinute: perMinute.verify },
    );
    routeSignedIn(
      fastify,
      authGuard,
      deleteDestination,
      async ({ auth, params, body, recordAnswer }) => {
        const { userId } = auth;
        const now = clock.now();
        await database.transaction(async (db) => {
          await removeDestination(db, { userId, id: params.id, removal: body, now });
          await recordMaskChange(db, auth, "updated", null, now);
          return recordAnswer(db, undefined);
        });
        feed.wake();
      },
      { perMinute: perMinute.masks },
    );
  };
