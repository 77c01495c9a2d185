import type { FastifyInstance } from "fastify";
import {
  allowHeldSender,
  blockHeldSender,
  deleteHeldMail,
  deleteMaskSender,
  listHeldMails,
  listMaskSenders,
  putMaskSender,
  releaseHeldMail,
} from "../../../core/held/heldEndpoints.ts";
import { perMinute } from "../../platform/http/limits.ts";
import { type AuthGuard, routeSignedIn } from "../../platform/http/route.ts";
import type { UserHeldMails } from "./userHeldMails.ts";
import type { UserMaskSenders } from "./userMaskSenders.ts";

export interface HeldRouteDeps {
  readonly heldMails: UserHeldMails;
  readonly maskSenders: UserMaskSenders;
  readonly authGuard: AuthGuard;
}

/** Registers the endpoints of held mail and listed senders, each limited to the signed-in user's own rows. */
export const heldRoutes =
  ({ heldMails, maskSenders, authGuard }: HeldRouteDeps) =>
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

    routeSignedIn(
      fastify,
      authGuard,
      listMaskSenders,
      ({ auth, params }) => maskSenders.read(auth.userId, params.id),
      limited,
    );

    routeSignedIn(
      fastify,
      authGuard,
      putMaskSender,
      ({ auth, params, body, recordAnswer }) =>
        maskSenders.put(
          auth.userId,
          { maskId: params.id, sender: params.sender, list: body.list },
          recordAnswer,
        ),
      limited,
    );

    routeSignedIn(
      fastify,
      authGuard,
      deleteMaskSender,
      ({ auth, params, recordAnswer }) =>
        maskSenders.remove(auth.userId, { maskId: params.id, sender: params.sender }, recordAnswer),
      limited,
    );
  };
