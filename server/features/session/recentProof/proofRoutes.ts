import type { FastifyInstance } from "fastify";
import { proveByCode, requestProofCode } from "../../../../core/session/recentProofEndpoints.ts";
import { perMinute } from "../../../platform/http/httpLimits.ts";
import { type AuthGuard, routePreparedWrite } from "../../../platform/http/route.ts";
import type { ProofByCode } from "./proofByCode.ts";

/** Registers the endpoints by which a signed-in user confirms that it is them, with a mailed code. */
export const proofRoutes =
  ({ authGuard, proof }: { readonly authGuard: AuthGuard; readonly proof: ProofByCode }) =>
  (fastify: FastifyInstance): void => {
    routePreparedWrite(fastify, authGuard, requestProofCode, ({ auth }) => proof.request(auth.userId), {
      perMinute: perMinute.signIn,
    });
    routePreparedWrite(
      fastify,
      authGuard,
      proveByCode,
      ({ auth, body }) => proof.prove({ userId: auth.userId, sessionId: auth.callerId }, body.code),
      { perMinute: perMinute.verify },
    );
  };
