import type { FastifyInstance } from "fastify";
import * as endpoints from "../../../core/session/openSessionEndpoints.ts";
import type { FeatureContext } from "../../context/feature.ts";
import { UseCaseError } from "../../platform/errors/useCaseError.ts";
import { routePreparedWrite, routeSignedIn, routeWrite } from "../../platform/http/route.ts";
import { afterCommit } from "../../platform/store/afterCommit.ts";
import { isId } from "../../platform/store/id.ts";
import { revokeAllApiTokens } from "../apiTokens/apiTokenQueries.ts";
import { listActiveSessions, type SessionRow } from "./sessionQueries.ts";
import { endOtherSessions, endSession } from "./sessions.ts";

const toOpenSession = (row: SessionRow, current: string): endpoints.OpenSession => ({
  id: row.id,
  current: row.id === current,
  userAgent: row.user_agent,
  createdAt: new Date(row.created_at).toISOString(),
  lastUsedAt: new Date(row.last_used_at).toISOString(),
});

/** Registers the routes that list the sessions of a user and end them (D41). */
export const openSessionRoutes =
  ({ database, clock, cookies, authGuard }: FeatureContext) =>
  (fastify: FastifyInstance): void => {
    routeSignedIn(fastify, authGuard, endpoints.listSessions, async ({ auth }) => {
      const rows = await listActiveSessions(database.db, auth.userId, clock.now());
      const sessions = rows.map((row) => toOpenSession(row, auth.callerId));
      return { sessions: sessions.sort((a, b) => Number(b.current) - Number(a.current)) };
    });

    routeWrite(fastify, authGuard, endpoints.endOtherSessions, async ({ tx, auth, params }) => {
      const { userId, callerId: sessionId } = auth;
      const now = clock.now();
      const ended = await endOtherSessions(tx, { userId, sessionId, now });
      if (params.apiTokens === true) await revokeAllApiTokens(tx, userId, now);
      return { ended };
    });

    routePreparedWrite(fastify, authGuard, endpoints.endSession, async ({ auth, params, reply }) => {
      const { userId, callerId } = auth;
      const sessionId = params.id;
      if (sessionId !== callerId) await authGuard.assertRecentlyProven(auth);
      return async (tx) => {
        if (!isId(sessionId) || !(await endSession(tx, { userId, sessionId, now: clock.now() })))
          throw new UseCaseError("missing", "This session has ended already.");
        if (sessionId === callerId)
          afterCommit(tx, () => {
            for (const jar of [cookies.session, cookies.csrf]) jar.clear(reply);
          });
      };
    });
  };
