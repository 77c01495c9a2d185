import type { FastifyInstance } from "fastify";
import * as endpoints from "../../../core/session/openSessionEndpoints.ts";
import type { FeatureContext } from "../../context/feature.ts";
import { UseCaseError } from "../../platform/errors/useCaseError.ts";
import { routeSignedIn } from "../../platform/http/route.ts";
import { isId } from "../../platform/store/id.ts";
import { revokeAllApiTokens } from "../apiTokens/apiTokenQueries.ts";
import { listActiveSessions, type SessionRow } from "./sessionQueries.ts";
import { endSession } from "./sessions.ts";

const toOpenSession = (row: SessionRow, current: string): endpoints.OpenSession => ({
  id: row.id,
  current: row.id === current,
  userAgent: row.user_agent,
  createdAt: new Date(row.created_at).toISOString(),
  lastUsedAt: new Date(row.last_used_at).toISOString(),
});

/** Registers the routes that list the sessions of a user and end them (D41). */
export const openSessionRoutes =
  ({ database, clock, cookies, authGuard, feed }: FeatureContext) =>
  (fastify: FastifyInstance): void => {
    routeSignedIn(fastify, authGuard, endpoints.listSessions, async ({ auth }) => {
      const rows = await listActiveSessions(database.db, auth.userId, clock.now());
      const sessions = rows.map((row) => toOpenSession(row, auth.callerId));
      return { sessions: sessions.sort((a, b) => Number(b.current) - Number(a.current)) };
    });

    routeSignedIn(fastify, authGuard, endpoints.endOtherSessions, async ({ auth, params, recordAnswer }) => {
      const { userId, callerId: currentSessionId } = auth;
      const now = clock.now();
      const answer = await database.transaction(async (db) => {
        let ended = 0;
        for (const { id: sessionId } of await listActiveSessions(db, userId, now))
          if (sessionId !== currentSessionId && (await endSession(db, { userId, sessionId, now })))
            ended += 1;
        if (params.apiTokens === true) await revokeAllApiTokens(db, userId, now);
        return recordAnswer(db, { ended });
      });
      feed.wake();
      return answer;
    });

    routeSignedIn(fastify, authGuard, endpoints.endSession, async ({ auth, params, reply, recordAnswer }) => {
      const { userId } = auth;
      if (params.id !== auth.callerId) await authGuard.assertRecentlyProven(auth);
      await database.transaction(async (db) => {
        if (!isId(params.id) || !(await endSession(db, { userId, sessionId: params.id, now: clock.now() })))
          throw new UseCaseError("missing", "This session has ended already.");
        await recordAnswer(db);
      });
      if (params.id === auth.callerId) for (const jar of [cookies.session, cookies.csrf]) jar.clear(reply);
      feed.wake();
    });
  };
