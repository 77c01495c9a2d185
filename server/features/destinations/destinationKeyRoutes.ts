import type { FastifyInstance } from "fastify";
import {
  listDestinationKeys,
  type OfferedKey,
  searchDestinationKey,
} from "../../../core/destinations/destinationKeyEndpoints.ts";
import { hourMs } from "../../../core/kernel/durations.ts";
import type { ServerContext } from "../../context/serverContext.ts";
import { UseCaseError } from "../../platform/errors/useCaseError.ts";
import { perMinute } from "../../platform/http/httpLimits.ts";
import { type AuthGuard, routeSignedIn } from "../../platform/http/route.ts";
import type { FoundKey } from "../../platform/openpgp/foundKey.ts";
import { createHourlyLimit } from "../../platform/ops/hourlyLimit.ts";
import { readDestination } from "./destinationChanges.ts";
import { findOfferedKey, listDestinationKeyRows } from "./destinationKeyQueries.ts";
import { searchWebKey } from "./webKeySearch.ts";

/** Of one user. */
const searchesPerHour = 20;

const iso = (time: number): string => new Date(time).toISOString();
const isoEnd = (time: number | null): string | null => (time === null || time === 0 ? null : iso(time));

const toOffered = ({
  publicKey,
  fingerprint,
  userIds,
  algorithm,
  created,
  expires,
}: FoundKey): OfferedKey => ({
  publicKey,
  fingerprint,
  userIds: [...userIds],
  algorithm,
  created: iso(created),
  expires: isoEnd(expires),
});

export type DestinationKeyRouteDeps = Pick<
  ServerContext,
  "database" | "clock" | "getFromPublicHost" | "keyPool"
> & { readonly authGuard: AuthGuard };

/** Registers the endpoints of the keys of a destination, and of the search for one. */
export const destinationKeyRoutes =
  ({ database, clock, getFromPublicHost: get, keyPool: pool, authGuard }: DestinationKeyRouteDeps) =>
  (fastify: FastifyInstance): void => {
    const { db } = database;
    const maySearch = createHourlyLimit(clock.now, searchesPerHour);
    const stop = new AbortController();
    fastify.addHook("onClose", async () => stop.abort());

    routeSignedIn(fastify, authGuard, listDestinationKeys, async ({ auth: { userId }, params }) => {
      const { id } = await readDestination(db, userId, params.id);
      const rows = await listDestinationKeyRows(db, userId, id);
      const offered = await findOfferedKey(db, userId, id);
      return {
        keys: rows.map((row) => ({
          fingerprint: row.fingerprint,
          publicKey: row.public_key,
          added: iso(Number(row.created_at)),
          expires: isoEnd(row.expires_at === null ? null : Number(row.expires_at)),
        })),
        offered: offered && toOffered(offered),
      };
    });

    routeSignedIn(
      fastify,
      authGuard,
      searchDestinationKey,
      async ({ auth: { userId }, params }) => {
        const { email, status } = await readDestination(db, userId, params.id);
        if (status !== "confirmed")
          throw new UseCaseError("conflict", "Confirm the address first, then look for a key.");
        if (!maySearch(userId))
          throw new UseCaseError("too-often", "You have looked for many keys. Try again in an hour.", {
            retryAfterS: hourMs / 1_000,
          });
        const result = await searchWebKey(email, {
          userId,
          now: clock.now(),
          signal: stop.signal,
          get,
          pool,
        });
        return "refusal" in result ? { found: null, ...result } : { found: toOffered(result), refusal: null };
      },
      { answerStored: "afterwards", perMinute: perMinute.verify },
    );
  };
