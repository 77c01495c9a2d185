import type { FastifyInstance } from "fastify";
import { deleteAccount, exportAccount } from "../../core/accountData/accountDataEndpoints.ts";
import type { Clock } from "../../core/ports/clock.ts";
import { perMinute } from "../http/limits.ts";
import { type Door, routeSignedIn } from "../http/route.ts";
import type { Cookies } from "../identity/cookies.ts";
import type { Database } from "../store/database.ts";
import type { makeDeleteAccount } from "./deleteAccount.ts";
import { readExport } from "./exportAccount.ts";

export interface AccountDataRouteParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly cookies: Cookies;
  readonly door: Door;
  readonly deleteAccount: ReturnType<typeof makeDeleteAccount>;
}

/** A user's own data: to take along, and to have removed. */
export const accountDataRoutes =
  (parts: AccountDataRouteParts) =>
  (fastify: FastifyInstance): void => {
    const { database, clock, cookies, door } = parts;
    routeSignedIn(
      fastify,
      door,
      exportAccount,
      ({ caller }) => database.transaction((db) => readExport(db, caller.userId, clock.now())),
      { perMinute: perMinute.signIn },
    );
    routeSignedIn(
      fastify,
      door,
      deleteAccount,
      async ({ caller, body, reply }) => {
        await parts.deleteAccount(caller.userId, body);
        for (const jar of [cookies.session, cookies.csrf]) jar.clear(reply);
      },
      { perMinute: perMinute.signIn, isLast: true },
    );
  };
