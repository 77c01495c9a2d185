import type { FastifyInstance } from "fastify";
import type { ArchivedMail } from "../../core/archive/archivedMail.ts";
import { deleteArchivedMail, listArchive, takeArchivedMail } from "../../core/archive/archiveEndpoints.ts";
import type { Clock } from "../../core/ports/clock.ts";
import { bytesOf, limitsOf, tierNamed } from "../../core/tiers/tier.ts";
import { perMinute } from "../http/limits.ts";
import { allowed } from "../http/rateLimit.ts";
import { Refusal } from "../http/refusal.ts";
import { type Door, routeSignedIn } from "../http/route.ts";
import {
  type ArchivedMailRow,
  archivedMails,
  archiveSize,
  deleteArchived,
  openArchived,
} from "../store/archive.ts";
import type { Database } from "../store/database.ts";
import { appendEvent, type EventFeed } from "../store/events.ts";
import { isId } from "../store/id.ts";
import { userById } from "../store/users.ts";

export interface ArchiveRouteParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly feed: Pick<EventFeed, "nudge">;
  readonly door: Door;
}

const listed = 200;

const answerOf = ({ createdAt, ...row }: ArchivedMailRow): ArchivedMail => ({
  ...row,
  archived: new Date(createdAt).toISOString(),
});

const noSuchMail = (): Refusal => new Refusal(404, "This mail is not in your archive any more.");

/** The calls of the archive (D32). Every one reaches the store through the caller's user id. */
export const archiveRoutes =
  ({ database, clock, feed, door }: ArchiveRouteParts) =>
  (fastify: FastifyInstance): void => {
    const { db } = database;
    const limited = { perMinute: perMinute.notifications };

    routeSignedIn(
      fastify,
      door,
      listArchive,
      async ({ caller, params }) => {
        const { maskId, before } = params;
        const rows = await archivedMails(db, caller.userId, { maskId, before, limit: listed + 1 });
        const user = await userById(db, caller.userId);
        return {
          mails: rows.slice(0, listed).map(answerOf),
          more: rows.length > listed,
          storage: {
            used: await archiveSize(db, caller.userId),
            limit: bytesOf(limitsOf[tierNamed(user?.tier)].storage),
          },
        };
      },
      limited,
    );

    fastify.get<{ Params: { id: string } }>(
      "/archive/:id",
      { config: { rateLimit: { max: allowed(limited.perMinute) } } },
      async (request, reply) => {
        const { userId } = await door.authenticate(request, reply);
        const { id } = request.params;
        const content = isId(id) ? await openArchived(db, userId, id) : null;
        if (!content) throw noSuchMail();
        return reply
          .type("message/rfc822")
          .header("content-disposition", `attachment; filename="mail-${id}.eml"`)
          .header("cache-control", "no-store")
          .send(Buffer.from(content));
      },
    );

    routeSignedIn(
      fastify,
      door,
      takeArchivedMail,
      async ({ caller, params: { id } }) => {
        const content = isId(id) ? await openArchived(db, caller.userId, id) : null;
        if (!content) throw noSuchMail();
        return { content: Buffer.from(content).toString("base64") };
      },
      limited,
    );

    routeSignedIn(
      fastify,
      door,
      deleteArchivedMail,
      async ({ caller, params, keep }) => {
        if (!isId(params.id)) throw noSuchMail();
        await database.transaction(async (tx) => {
          if (!(await deleteArchived(tx, caller.userId, params.id))) throw noSuchMail();
          const change = { resource: "archive", resourceId: params.id, action: "deleted" };
          await appendEvent(tx, { userId: caller.userId, ...change }, clock.now());
          await keep(tx);
        });
        feed.nudge();
      },
      limited,
    );
  };
