import type { FastifyInstance } from "fastify";
import { postWrittenMail } from "../../../core/correspondents/correspondentEndpoints.ts";
import { sendReplyAgain } from "../../../core/held/heldEndpoints.ts";
import { perMinute } from "../../platform/http/httpLimits.ts";
import { type AuthGuard, routeSignedIn } from "../../platform/http/route.ts";
import type { SendReplyAgain } from "./unsentReplies.ts";
import type { SendWrittenMail } from "./writtenMail.ts";

export interface ReplyRoutesDeps {
  readonly authGuard: AuthGuard;
  readonly sendAgain: SendReplyAgain;
  readonly sendWritten: SendWrittenMail;
}

/** Registers the endpoints that send mail from masks: what is written in the app, and replies that were refused before. */
export const replyRoutes =
  ({ authGuard, sendAgain, sendWritten }: ReplyRoutesDeps) =>
  (fastify: FastifyInstance): void => {
    routeSignedIn(
      fastify,
      authGuard,
      sendReplyAgain,
      ({ auth, params, storeAnswer }) =>
        sendAgain(auth.userId, params.id, (tx) => storeAnswer(tx, undefined)),
      { perMinute: perMinute.notifications, answerStored: "afterwards" },
    );

    routeSignedIn(
      fastify,
      authGuard,
      postWrittenMail,
      async ({ auth: { userId }, params: { id: maskId }, body }) => {
        await sendWritten({ userId, maskId }, body);
        return {};
      },
      { perMinute: perMinute.signIn, answerStored: "afterwards" },
    );
  };
