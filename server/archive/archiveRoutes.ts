import type { FastifyInstance } from "fastify";
import {
  type ArchivedMail,
  deleteArchivedMail,
  getArchivedContent,
  listArchive,
} from "../../core/archive/archiveEndpoints.ts";
import type { Clock } from "../../core/ports/clock.ts";
import { bytesOf, limitsOf, parseTier } from "../../core/tiers/tier.ts";
import { HttpError } from "../http/httpError.ts";
import { perMinute, rateLimitFor } from "../http/limits.ts";
import { type AuthGuard, routeSignedIn } from "../http/route.ts";
import type { Database } from "../store/database.ts";
import { appendEvent, type EventFeed } from "../store/events.ts";
import { isId } from "../store/id.ts";
import { findUser } from "../store/users.ts";
import {
  type ArchivedMailRow,
  deleteArchivedMailRow,
  getArchiveSize,
  listArchivedMails,
  openArchivedMail,
} from "./archiveQueries.ts";

export interface ArchiveRouteDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly feed: Pick<EventFeed, "wake">;
  readonly authGuard: AuthGuard;
}

const pageSize = 200;

const toArchivedMail = ({ createdAt, ...row }: ArchivedMailRow): ArchivedMail => ({
  ...row,
  archived: new Date(createdAt).toISOString(),
});

const mailNotFound = (): HttpError => new HttpError(404, "This mail is not in your archive any more.");

/** Registers the endpoints of the archive (D32), each limited to the signed-in user's own rows. */
export const archiveRoutes =
  ({ database, clock, feed, authGuard }: ArchiveRouteDeps) =>
  (fastify: FastifyInstance): void => {
    const { db } = database;
    const limited = { perMinute: perMinute.notifications };

    routeSignedIn(
      fastify,
      authGuard,
      listArchive,
      async ({ auth, params }) => {
        const { maskId, before } = params;
        const rows = await listArchivedMails(db, auth.userId, { maskId, before, limit: pageSize + 1 });
        const user = await findUser(db, auth.userId);
        return {
          mails: rows.slice(0, pageSize).map(toArchivedMail),
          more: rows.length > pageSize,
          storage: {
            used: await getArchiveSize(db, auth.userId),
            limit: bytesOf(limitsOf[parseTier(user?.tier)].storage),
          },
        };
      },
      limited,
    );

    fastify.get<{ Params: { id: string } }>(
      "/archive/:id",
      { config: { rateLimit: { max: rateLimitFor(limited.perMinute) } } },
      async (request, reply) => {
        const { userId } = await authGuard.authenticate(request, reply);
        const { id } = request.params;
        const content = isId(id) ? await openArchivedMail(db, userId, id) : null;
        if (!content) throw mailNotFound();
        return reply
          .type("message/rfc822")
          .header("content-disposition", `attachment; filename="mail-${id}.eml"`)
          .header("cache-control", "no-store")
          .send(Buffer.from(content));
      },
    );

    routeSignedIn(
      fastify,
      authGuard,
      getArchivedContent,
      async ({ auth, params: { id } }) => {
        const content = isId(id) ? await openArchivedMail(db, auth.userId, id) : null;
        if (!content) throw mailNotFound();
        return { content: Buffer.from(content).toString("base64") };
      },
      limited,
    );

    routeSignedIn(
      fastify,
      authGuard,
      deleteArchivedMail,
      async ({ auth, params, recordAnswer }) => {
        if (!isId(params.id)) throw mailNotFound();
        await database.transaction(async (tx) => {
          if (!(await deleteArchivedMailRow(tx, auth.userId, params.id))) throw mailNotFound();
          const change = { resource: "archive", resourceId: params.id, action: "deleted" };
          await appendEvent(tx, { userId: auth.userId, ...change }, clock.now());
          await recordAnswer(tx);
        });
        feed.wake();
      },
      limited,
    );
  };
