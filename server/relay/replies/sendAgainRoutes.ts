import type { FastifyInstance } from "fastify";
import { sendReplyAgain } from "../../../core/held/heldEndpoints.ts";
import { perMinute } from "../../platform/http/limits.ts";
import { type AuthGuard, routeSignedIn } from "../../platform/http/route.ts";
import type { SendReplyAgain } from "./unsentReplies.ts";

/** Registers the endpoint that sends a refused reply again, limited to the signed-in user's own. */
export const sendAgainRoutes =
  ({ authGuard, sendAgain }: { readonly authGuard: AuthGuard; readonly sendAgain: SendReplyAgain }) =>
  (fastify: FastifyInstance): void => {
    routeSignedIn(
      fastify,
      authGuard,
      sendReplyAgain,
      ({ auth, params, recordAnswer }) => sendAgain(auth.userId, params.id, recordAnswer),
      { perMinute: perMinute.notifications },
    );
  };
