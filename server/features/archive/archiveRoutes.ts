import type { FastifyInstance } from "fastify";
import * as endpoints from "../../../core/archive/archiveEndpoints.ts";
import type { FeatureContext } from "../../context/feature.ts";
import { perMinute } from "../../platform/http/httpLimits.ts";
import { routeSignedIn, routeWrite } from "../../platform/http/route.ts";
import { listArchive, readArchivedMail, removeArchivedMail } from "./userArchive.ts";

/** Registers the endpoints of the archive (D32), each limited to the signed-in user's own rows. */
export const archiveRoutes =
  (context: FeatureContext) =>
  (fastify: FastifyInstance): void => {
    const { authGuard } = context;
    const { db } = context.database;
    const limited = { perMinute: perMinute.notifications };

    routeSignedIn(
      fastify,
      authGuard,
      endpoints.listArchive,
      ({ auth, params }) => listArchive(db, auth.userId, params),
      limited,
    );

    fastify.get<{ Params: { id: string } }>(
      "/archive/:id",
      { config: { perMinute: limited.perMinute } },
      async (request, reply) => {
        const { userId } = await authGuard.authenticate(request, reply, "none");
        const { id } = request.params;
        const content = await readArchivedMail(db, userId, id, { marksRead: true });
        return reply
          .type("message/rfc822")
          .header("content-disposition", `attachment; filename="mail-${id}.eml"`)
          .header("cache-control", "no-store")
          .send(content);
      },
    );

    routeSignedIn(
      fastify,
      authGuard,
      endpoints.getArchivedContent,
      async ({ auth, params }) => ({
        content: (
          await readArchivedMail(db, auth.userId, params.id, { marksRead: params.keepUnread !== true })
        ).toString("base64"),
      }),
      limited,
    );

    routeWrite(
      fastify,
      authGuard,
      endpoints.deleteArchivedMail,
      ({ tx, auth, params }) => removeArchivedMail(context, tx, auth.userId, params.id),
      limited,
    );
  };
