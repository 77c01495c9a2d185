import type { FastifyInstance } from "fastify";
import { verifyTwoFactor } from "../../core/session/sessionEndpoints.ts";
import { perMinute } from "../http/limits.ts";
import { route } from "../http/route.ts";
import { type LetIn, userAgentOf } from "../identity/letIn.ts";
import type { makeVerifySecondFactor } from "./verifySecondFactor.ts";

export interface SecondFactorRouteParts {
  readonly letIn: LetIn;
  readonly verifySecondFactor: ReturnType<typeof makeVerifySecondFactor>;
}

/** POST /login/verify2fa: the last step of a sign-in with two factors (SI9). */
export const secondFactorRoutes =
  ({ letIn, verifySecondFactor }: SecondFactorRouteParts) =>
  (fastify: FastifyInstance): void =>
    route(
      fastify,
      verifyTwoFactor,
      async ({ body, request, reply }) => {
        const { email, code, tempToken: ticket } = body;
        return letIn(
          { request, reply },
          await verifySecondFactor({ email, code, ticket, userAgent: userAgentOf(request) }),
        );
      },
      { perMinute: perMinute.verify },
    );
