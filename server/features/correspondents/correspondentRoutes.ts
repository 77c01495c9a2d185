import type { FastifyInstance } from "fastify";
import {
  deleteCorrespondent,
  listCorrespondents,
  postCorrespondent,
  putCorrespondent,
} from "../../../core/correspondents/correspondentEndpoints.ts";
import { perMinute } from "../../platform/http/httpLimits.ts";
import { type AuthGuard, routeSignedIn } from "../../platform/http/route.ts";
import type { UserCorrespondents } from "./correspondents.ts";

/** Registers the endpoints of a mask's correspondents, each limited to the signed-in user's own masks. */
export const correspondentRoutes =
  ({
    correspondents,
    authGuard,
  }: {
    readonly correspondents: UserCorrespondents;
    readonly authGuard: AuthGuard;
  }) =>
  (fastify: FastifyInstance): void => {
    const limited = { perMinute: perMinute.masks };
    routeSignedIn(
      fastify,
      authGuard,
      listCorrespondents,
      ({ auth: { userId }, params }) => correspondents.list({ userId, maskId: params.id }, params),
      limited,
    );
    routeSignedIn(
      fastify,
      authGuard,
      postCorrespondent,
      ({ auth: { userId }, params, body, recordAnswer }) =>
        correspondents.add({ userId, maskId: params.id }, { name: "", address: body.address }, recordAnswer),
      limited,
    );
    routeSignedIn(
      fastify,
      authGuard,
      putCorrespondent,
      ({ auth: { userId }, params, body, recordAnswer }) =>
        correspondents.setBlocked(
          { userId, maskId: params.id },
          { id: params.correspondent, isBlocked: body.blocked },
          recordAnswer,
        ),
      limited,
    );
    routeSignedIn(
      fastify,
      authGuard,
      deleteCorrespondent,
      ({ auth: { userId }, params, recordAnswer }) =>
        correspondents.forget({ userId, maskId: params.id }, params.correspondent, recordAnswer),
      limited,
    );
  };
