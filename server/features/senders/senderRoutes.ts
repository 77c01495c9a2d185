import type { FastifyInstance } from "fastify";
import { deleteMaskSender, listMaskSenders, putMaskSender } from "../../../core/senders/senderEndpoints.ts";
import { perMinute } from "../../platform/http/httpLimits.ts";
import { type AuthGuard, routeSignedIn } from "../../platform/http/route.ts";
import type { UserMaskSenders } from "./userMaskSenders.ts";

/** Registers the endpoints of the senders that a mask always accepts and refuses, each for the user's own masks. */
export const senderRoutes =
  ({ maskSenders, authGuard }: { readonly maskSenders: UserMaskSenders; readonly authGuard: AuthGuard }) =>
  (fastify: FastifyInstance): void => {
    const limited = { perMinute: perMinute.notifications };

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
