import type { FastifyInstance } from "fastify";
import { getBreaches } from "../../../core/breaches/breachCheck.ts";
import { UseCaseError } from "../../platform/errors/useCaseError.ts";
import { perMinute } from "../../platform/http/httpLimits.ts";
import { type AuthGuard, routeSignedIn } from "../../platform/http/route.ts";
import type { Database } from "../../platform/store/database.ts";
import { getMask } from "../masks/maskQueries.ts";
import { createFindBreaches } from "./breachSource.ts";

export interface BreachRouteDeps {
  readonly database: Pick<Database, "db">;
  readonly authGuard: AuthGuard;
  /** The address of the source of leaked addresses; null where the operator names none. */
  readonly ranges: string | null;
}

/** Registers the search for a mask's address in known leaks, limited to the signed-in user's own masks. */
export const breachRoutes =
  ({ database, authGuard, ranges }: BreachRouteDeps) =>
  (fastify: FastifyInstance): void => {
    const findBreaches = ranges === null ? null : createFindBreaches(ranges);
    routeSignedIn(
      fastify,
      authGuard,
      getBreaches,
      async ({ auth, params }) => {
        const mask = await getMask(database.db, auth.userId, params.id);
        if (findBreaches === null)
          throw new UseCaseError(
            "missing",
            "The operator of this server has named no source of leaked addresses.",
          );
        const times = await findBreaches(mask.email);
        if (times === null)
          throw new UseCaseError(
            "unavailable",
            "The source of leaked addresses does not answer. Try again later.",
          );
        return { times };
      },
      { perMinute: perMinute.signIn },
    );
  };
