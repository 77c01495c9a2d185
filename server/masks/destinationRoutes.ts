import type { FastifyInstance } from "fastify";
import {
  type Destination,
  listDestinations,
  postDestination,
} from "../../core/destinations/destinationEndpoints.ts";
import { findDestinations } from "../delivery/destinationQueries.ts";
import { perMinute } from "../http/limits.ts";
import { type AuthGuard, routeSignedIn } from "../http/route.ts";
import { resolveDestination } from "./destination.ts";
import type { MaskDeps } from "./maskDeps.ts";

const toDestination = (row: Awaited<ReturnType<typeof findDestinations>>[number]): Destination => ({
  email: row.email,
  status: row.confirmed_at === null ? "awaiting-confirmation" : "confirmed",
  masks: Number(row.masks),
});

/** Registers the endpoints of a user's destinations. */
export const destinationRoutes =
  ({ deps, authGuard }: { readonly deps: MaskDeps; readonly authGuard: AuthGuard }) =>
  (fastify: FastifyInstance): void => {
    const { database, delivery } = deps;
    routeSignedIn(fastify, authGuard, listDestinations, async ({ auth }) => ({
      destinations: (await findDestinations(database.db, auth.userId)).map(toDestination),
    }));
    routeSignedIn(
      fastify,
      authGuard,
      postDestination,
      async ({ auth, body, recordAnswer }) => {
        const answer = await database.transaction(async (db) => {
          const added = await resolveDestination(db, deps, auth.userId, body.email);
          const row = (await findDestinations(db, auth.userId)).find(({ id }) => id === added.id);
          if (!row) throw new Error("the added destination cannot be read");
          return recordAnswer(db, { ...toDestination(row), confirmationSent: added.isConfirmationSent });
        });
        delivery.wake();
        return answer;
      },
      { perMinute: perMinute.masks },
    );
  };
