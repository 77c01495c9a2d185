import type { FastifyInstance } from "fastify";
import * as endpoints from "../../../core/senders/senderEndpoints.ts";
import type { FeatureContext } from "../../context/feature.ts";
import { perMinute } from "../../platform/http/httpLimits.ts";
import { routeSignedIn, routeWrite } from "../../platform/http/route.ts";
import { listSender, readMaskSenders, unlistSender } from "./userMaskSenders.ts";

/** Registers the endpoints of the senders that a mask always accepts and refuses, each for the user's own masks. */
export const senderRoutes =
  (context: FeatureContext) =>
  (fastify: FastifyInstance): void => {
    const { authGuard, database } = context;
    const limited = { perMinute: perMinute.notifications };

    routeSignedIn(
      fastify,
      authGuard,
      endpoints.listMaskSenders,
      ({ auth: { userId }, params }) => readMaskSenders(context, database.db, { userId, maskId: params.id }),
      limited,
    );

    routeWrite(
      fastify,
      authGuard,
      endpoints.putMaskSender,
      ({ tx, auth: { userId }, params: { id: maskId, sender }, body: { list } }) =>
        listSender(context, tx, { userId, maskId }, { sender, list }),
      limited,
    );

    routeWrite(
      fastify,
      authGuard,
      endpoints.deleteMaskSender,
      ({ tx, auth: { userId }, params: { id: maskId, sender } }) =>
        unlistSender(context, tx, { userId, maskId }, sender),
      limited,
    );
  };
