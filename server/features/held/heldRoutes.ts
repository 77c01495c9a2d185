import type { FastifyInstance } from "fastify";
import {
  allowHeldSender,
  blockHeldSender,
  deleteHeldMail,
  listHeldMails,
  readHeldMail,
  releaseHeldMail,
} from "../../../core/held/heldEndpoints.ts";
import { perMinute } from "../../platform/http/httpLimits.ts";
import { type AuthGuard, routeSignedIn } from "../../platform/http/route.ts";
import type { UserHeldMails } from "./userHeldMails.ts";

export interface HeldRouteDeps {
  readonly heldMails: UserHeldMails;
  readonly authGuard: AuthGuard;
}

/** Registers the endpoints of held mail, each limited to the signed-in user's own rows. */
export const heldRoutes =
  ({ heldMails, authGuard }: HeldRouteDeps) =>
  (fastify: FastifyInstance): void => {
    const limited = { perMinute: perMinute.notifications };

    routeSignedIn(
      fastify,
      authGuard,
      listHeldMails,
      ({ auth, params }) => heldMails.list(auth.userId, params),
      limited,
    );

    routeSignedIn(
      fastify,
      authGuard,
      readHeldMail,
      async ({ auth, params }) => ({
        content: (await heldMails.read(auth.userId, params.id)).toString("base64"),
      }),
      { perMinute: perMinute.mailContents },
    );

    routeSignedIn(
      fastify,
      authGuard,
      releaseHeldMail,
      ({ auth, params, body, recordAnswer }) =>
        heldMails.release(auth.userId, { ...params, ...body }, recordAnswer),
      limited,
    );

    routeSignedIn(
      fastify,
      authGuard,
      deleteHeldMail,
      ({ auth, params, recordAnswer }) => heldMails.remove(auth.userId, params.id, recordAnswer),
      limited,
    );

    for (const [endpoint, list] of [
      [allowHeldSender, "allow"],
      [blockHeldSender, "block"],
    ] as const)
      routeSignedIn(
        fastify,
        authGuard,
        endpoint,
        ({ auth, params, recordAnswer }) =>
          heldMails.decideSender(auth.userId, params.id, list, recordAnswer),
        limited,
      );
  };
