import type { FastifyInstance } from "fastify";
import * as endpoints from "../../../core/held/heldEndpoints.ts";
import type { FeatureContext } from "../../context/feature.ts";
import { perMinute } from "../../platform/http/httpLimits.ts";
import { routeSignedIn, routeWrite } from "../../platform/http/route.ts";
import { decideHeldSender, listHeld, readHeld, releaseHeld, removeHeld } from "./userHeldMails.ts";

/** Registers the endpoints of held mail, each limited to the signed-in user's own rows. */
export const heldRoutes =
  (context: FeatureContext) =>
  (fastify: FastifyInstance): void => {
    const { authGuard, database } = context;
    const limited = { perMinute: perMinute.notifications };

    routeSignedIn(
      fastify,
      authGuard,
      endpoints.listHeldMails,
      ({ auth, params }) => listHeld(context, database.db, auth.userId, params),
      limited,
    );

    routeSignedIn(
      fastify,
      authGuard,
      endpoints.readHeldMail,
      async ({ auth, params }) => ({
        content: (await readHeld(context, auth.userId, params.id)).toString("base64"),
      }),
      { perMinute: perMinute.mailContents },
    );

    routeWrite(
      fastify,
      authGuard,
      endpoints.releaseHeldMail,
      ({ tx, auth, params, body }) => releaseHeld(context, tx, auth.userId, { ...params, ...body }),
      limited,
    );

    routeWrite(
      fastify,
      authGuard,
      endpoints.deleteHeldMail,
      ({ tx, auth, params }) => removeHeld(context, tx, auth.userId, params.id),
      limited,
    );

    for (const [endpoint, list] of [
      [endpoints.allowHeldSender, "allow"],
      [endpoints.blockHeldSender, "block"],
    ] as const)
      routeWrite(
        fastify,
        authGuard,
        endpoint,
        ({ tx, auth, params }) => decideHeldSender(context, tx, auth.userId, { id: params.id, list }),
        limited,
      );
  };
