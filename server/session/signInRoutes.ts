import type { FastifyInstance } from "fastify";
import {
  type LoginAnswer,
  planSelectionRequired,
  requestCode,
  signUp,
  verifyCode,
  verifyTwoFactor,
} from "../../core/session/sessionEndpoints.ts";
import { perMinute } from "../http/limits.ts";
import { route } from "../http/route.ts";
import type { Cookies } from "./cookies.ts";
import type { createRequestCode } from "./requestCode.ts";
import type { createSignUp } from "./signUp.ts";
import { type SignInExchange, type SignInResult, type StartSession, userAgentOf } from "./startSession.ts";
import type { createVerifyCode } from "./verifyCode.ts";
import type { createVerifySecondFactor } from "./verifySecondFactor.ts";

export interface SignInRouteDeps {
  readonly cookies: Cookies;
  readonly startSession: StartSession;
  readonly requestCode: ReturnType<typeof createRequestCode>;
  readonly verifyCode: ReturnType<typeof createVerifyCode>;
  readonly signUp: ReturnType<typeof createSignUp>;
}

/** Registers POST /login, PUT /login, and POST /signup, which lead from an address to a session (SI9, D36). */
export const signInRoutes = (deps: SignInRouteDeps) => {
  const { cookies, startSession } = deps;

  const answer = (exchange: SignInExchange, result: SignInResult): LoginAnswer =>
    result.kind === "signed-in"
      ? startSession(exchange, result)
      : { requires2FA: true, tempToken: result.ticket };

  return (fastify: FastifyInstance): void => {
    route(
      fastify,
      requestCode,
      async ({ body }) => {
        await deps.requestCode(body.email);
        return { message: "Verification code sent" };
      },
      { perMinute: perMinute.signIn },
    );

    route(
      fastify,
      verifyCode,
      async ({ body, request, reply }): Promise<LoginAnswer> => {
        const verified = await deps.verifyCode({
          email: body.email,
          code: body.otp,
          ticket: cookies.signUp.read(request),
          userAgent: userAgentOf(request),
        });
        if (verified.kind !== "plan-required") return answer({ request, reply }, verified);
        cookies.signUp.write(reply, verified.ticket);
        return {
          status: planSelectionRequired,
          tempToken: verified.ticket,
          ...(verified.needsInvitation ? { needsInvitation: true } : {}),
        };
      },
      { perMinute: perMinute.verify },
    );

    route(
      fastify,
      signUp,
      async ({ body, request, reply }): Promise<LoginAnswer> => {
        const made = await deps.signUp({
          ticket: body.tempToken,
          tier: body.tier,
          checkoutSessionId: body.checkoutSessionId,
          invitation: body.invitation,
          userAgent: userAgentOf(request),
        });
        return answer({ request, reply }, made);
      },
      { perMinute: perMinute.signIn },
    );
  };
};

export interface SecondFactorRouteDeps {
  readonly startSession: StartSession;
  readonly verifySecondFactor: ReturnType<typeof createVerifySecondFactor>;
}

/** Registers POST /login/verify2fa, the last step of a sign-in with two factors (SI9). */
export const secondFactorRoutes =
  ({ startSession, verifySecondFactor }: SecondFactorRouteDeps) =>
  (fastify: FastifyInstance): void =>
    route(
      fastify,
      verifyTwoFactor,
      async ({ body, request, reply }) => {
        const { email, code, tempToken: ticket } = body;
        return startSession(
          { request, reply },
          await verifySecondFactor({ email, code, ticket, userAgent: userAgentOf(request) }),
        );
      },
      { perMinute: perMinute.verify },
    );
