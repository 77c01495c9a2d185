import type { FastifyInstance } from "fastify";
import { getAccount } from "../../core/account/accountEndpoints.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { Authenticate } from "../http/caller.ts";
import { routeSignedIn } from "../http/route.ts";
import type { Database } from "../store/database.ts";
import { readAccount } from "./account.ts";
import { invalidSession } from "./authenticate.ts";

export interface AccountRouteParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly authenticate: Authenticate;
}

export const accountRoutes =
  ({ database, clock, authenticate }: AccountRouteParts) =>
  (fastify: FastifyInstance): void =>
    routeSignedIn(fastify, authenticate, getAccount, async ({ caller }) => {
      const account = await readAccount(database.db, caller.userId, clock.now());
      if (!account) throw invalidSession();
      return account;
    });
