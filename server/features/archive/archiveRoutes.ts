import type { FastifyInstance } from "fastify";
import {
  deleteArchivedMail,
  getArchivedContent,
  listArchive,
} from "../../../core/archive/archiveEndpoints.ts";
import { perMinute } from "../../platform/http/limits.ts";
import { type AuthGuard, routeSignedIn } from "../../platform/http/route.ts";
import type { UserArchive } from "./userArchive.ts";

/** Registers the endpoints of the archive (D32), each limited to the signed-in user's own rows. */
export const archiveRoutes =
  ({ archive, authGuard }: { readonly archive: UserArchive; readonly authGuard: AuthGuard }) =>
  (fastify: FastifyInstance): void => {
    const limited = { perMinute: perMinute.notifications };

    routeSignedIn(
      fastify,
      authGuard,
      listArchive,
      ({ auth, params }) => archive.list(auth.userId, params),
      limited,
    );

    fastify.get<{ Params: { id: string } }>(
      "/archive/:id",
      { config: { perMinute: limited.perMinute } },
      async (request, reply) => {
        const { userId } = await authGuard.authenticate(request, reply, "none");
        const { id } = request.params;
        const content = await archive.read(userId, id, { marksRead: true });
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
      getArchivedContent,
      async ({ auth, params }) => ({
        content: (
          await archive.read(auth.userId, params.id, { marksRead: params.keepUnread !== true })
        ).toString("base64"),
      }),
      limited,
    );

    routeSignedIn(
      fastify,
      authGuard,
      deleteArchivedMail,
      ({ auth, params, recordAnswer }) => archive.remove(auth.userId, params.id, recordAnswer),
      limited,
    );
  };
