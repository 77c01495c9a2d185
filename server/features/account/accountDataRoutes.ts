import type { FastifyInstance } from "fastify";
import { deleteAccount, exportAccount } from "../../../core/account/accountDataEndpoints.ts";
import type { FeatureContext } from "../../context/feature.ts";
import { perMinute } from "../../platform/http/httpLimits.ts";
import { routeSignedIn } from "../../platform/http/route.ts";
import { readAccountExport } from "./accountExport.ts";
import type { createDeleteAccount } from "./deleteAccount.ts";

/** Registers the routes that export and delete the data of a user. */
export const accountDataRoutes =
  (context: FeatureContext, removeAccount: ReturnType<typeof createDeleteAccount>) =>
  (fastify: FastifyInstance): void => {
    const { database, clock, cookies, authGuard } = context;
    routeSignedIn(
      fastify,
      authGuard,
      exportAccount,
      ({ auth }) =>
        database.readAside(
          "now",
          (db) => readAccountExport(db, context, auth.userId, clock.now()),
          database.transaction,
        ),
      { perMinute: perMinute.signIn },
    );
    routeSignedIn(
      fastify,
      authGuard,
      deleteAccount,
      async ({ auth, body, reply }) => {
        await removeAccount(auth.userId, body);
        for (const jar of [cookies.session, cookies.csrf]) jar.clear(reply);
      },
      { perMinute: perMinute.signIn, endsSession: true },
    );
  };
