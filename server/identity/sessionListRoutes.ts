import type { FastifyInstance } from "fastify";
import type { Clock } from "../../core/ports/clock.ts";
import * as endpoints from "../../core/session/openSessionEndpoints.ts";
import { Refusal } from "../http/refusal.ts";
import { type Door, routeSignedIn } from "../http/route.ts";
import type { Database } from "../store/database.ts";
import type { EventFeed } from "../store/events.ts";
import { isId } from "../store/id.ts";
import { liveSessionsOf, type SessionRow } from "../store/sessions.ts";
import type { Cookies } from "./cookies.ts";
import { endSession } from "./endSession.ts";

export interface SessionListParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly cookies: Cookies;
  readonly door: Door;
  readonly feed: Pick<EventFeed, "nudge">;
}

const shown = (row: SessionRow, current: string): endpoints.OpenSession => ({
  id: row.id,
  current: row.id === current,
  userAgent: row.user_agent,
  createdAt: new Date(row.created_at).toISOString(),
  lastUsedAt: new Date(row.last_used_at).toISOString(),
});

/** Where a user is signed in, and how to end it there (D41). */
export const sessionListRoutes =
  ({ database, clock, cookies, door, feed }: SessionListParts) =>
  (fastify: FastifyInstance): void => {
    routeSignedIn(fastify, door, endpoints.listSessions, async ({ caller }) => {
      const rows = await liveSessionsOf(database.db, caller.userId, clock.now());
      const sessions = rows.map((row) => shown(row, caller.sessionId));
      return { sessions: sessions.sort((a, b) => Number(b.current) - Number(a.current)) };
    });

    routeSignedIn(fastify, door, endpoints.endOtherSessions, async ({ caller, keep }) => {
      const { userId, sessionId: asking } = caller;
      const now = clock.now();
      const answer = await database.transaction(async (db) => {
        let ended = 0;
        for (const { id: sessionId } of await liveSessionsOf(db, userId, now))
          if (sessionId !== asking && (await endSession(db, { userId, sessionId, now }))) ended += 1;
        return keep(db, { ended });
      });
      feed.nudge();
      return answer;
    });

    routeSignedIn(fastify, door, endpoints.endSession, async ({ caller, params, reply, keep }) => {
      const { userId } = caller;
      await database.transaction(async (db) => {
        if (!isId(params.id) || !(await endSession(db, { userId, sessionId: params.id, now: clock.now() })))
          throw new Refusal(404, "This session has ended already.");
        await keep(db);
      });
      if (params.id === caller.sessionId) for (const jar of [cookies.session, cookies.csrf]) jar.clear(reply);
      feed.nudge();
    });
  };
