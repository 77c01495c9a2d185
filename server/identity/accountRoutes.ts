import type { FastifyInstance } from "fastify";
import { getAccount } from "../../core/account/accountEndpoints.ts";
import type { Clock } from "../../core/ports/clock.ts";
import { type Door, routeSignedIn } from "../http/route.ts";
import type { Database } from "../store/database.ts";
import { readAccount } from "./account.ts";
import { invalidSession } from "./authenticate.ts";

export interface AccountRouteParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly door: Door;
}

export const accountRoutes =
  ({ database, clock, door }: AccountRouteParts) =>
  (fastify: FastifyInstance): void =>
    routeSignedIn(fastify, door, getAccount, async ({ caller }) => {
      const account = await readAccount(database.db, caller.userId, clock.now());
      if (!account) throw invalidSession();
      return account;
    });
