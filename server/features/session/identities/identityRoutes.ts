import type { FastifyInstance } from "fastify";
import * as endpoints from "../../../../core/session/identityEndpoints.ts";
import type { FeatureContext } from "../../../context/feature.ts";
import { UseCaseError } from "../../../platform/errors/useCaseError.ts";
import { routeSignedIn, routeWrite } from "../../../platform/http/route.ts";
import type { AuthContext } from "../../../platform/store/authContext.ts";
import type { Db } from "../../../platform/store/database.ts";
import { isId } from "../../../platform/store/id.ts";
import { addNotification } from "../../notifications/notificationQueries.ts";
import { endSession } from "../sessions.ts";
import {
  deleteIdentity,
  type IdentityRow,
  listIdentitySessions,
  listUserIdentities,
} from "./identityQueries.ts";

/** Registers the routes that list the identities of a user and disconnect them. */
export const identityRoutes =
  ({ config: { oidc }, database, clock, authGuard }: FeatureContext) =>
  (fastify: FastifyInstance): void => {
    const providerOf = (issuer: string): string =>
      issuer === oidc?.issuer ? oidc.name : new URL(issuer).hostname;
    const toIdentity = (row: IdentityRow): endpoints.Identity => ({
      id: row.id,
      provider: providerOf(row.issuer),
      email: row.email,
      connectedAt: new Date(row.created_at).toISOString(),
      lastUsedAt: new Date(row.last_used_at).toISOString(),
    });

    routeSignedIn(fastify, authGuard, endpoints.listIdentities, async ({ auth }) => ({
      identities: (await listUserIdentities(database.db, auth.userId)).map(toIdentity),
    }));

    /** Disconnects an identity and ends the sessions that it began, but the one that asks for it. */
    const remove = async (db: Db, { userId, callerId }: AuthContext, id: string): Promise<void> => {
      const now = clock.now();
      const removed = isId(id) ? await deleteIdentity(db, userId, id) : undefined;
      if (removed === undefined)
        throw new UseCaseError("missing", "This identity has been disconnected already.");
      const begun = await listIdentitySessions(db, { ...removed, sid: null });
      for (const { sessionId } of begun)
        if (sessionId !== callerId) await endSession(db, { userId, sessionId, now });
      const message = `You can no longer log in with ${providerOf(removed.issuer)}. Other sessions that began with it were ended.`;
      await addNotification(db, { userId, type: "security", priority: "normal", message }, now);
    };

    routeWrite(fastify, authGuard, endpoints.removeIdentity, ({ tx, auth, params }) =>
      remove(tx, auth, params.id),
    );
  };
