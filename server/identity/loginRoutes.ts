import type { FastifyInstance } from "fastify";
import {
  type LoginAnswer,
  planSelectionRequired,
  requestCode,
  signUp,
  verifyCode,
} from "../../core/session/sessionEndpoints.ts";
import { perMinute } from "../http/limits.ts";
import { route } from "../http/route.ts";
import type { Admitted } from "./admit.ts";
import type { Cookies } from "./cookies.ts";
import { type Entry, type LetIn, userAgentOf } from "./letIn.ts";
import type { makeRequestCode } from "./requestCode.ts";
import type { makeSignUp } from "./signUp.ts";
import type { makeVerifyCode } from "./verifyCode.ts";

export interface LoginRouteParts {
  readonly cookies: Cookies;
  readonly letIn: LetIn;
  readonly requestCode: ReturnType<typeof makeRequestCode>;
  readonly verifyCode: ReturnType<typeof makeVerifyCode>;
  readonly signUp: ReturnType<typeof makeSignUp>;
}

/** POST /login, PUT /login, POST /signup: from an address to a session (SI9, D36). */
export const loginRoutes = (parts: LoginRouteParts) => {
  const { cookies, letIn } = parts;

  const answer = (entry: Entry, admitted: Admitted): LoginAnswer =>
    admitted.kind === "signed-in"
      ? letIn(entry, admitted)
      : { requires2FA: true, tempToken: admitted.ticket };

  return (fastify: FastifyInstance): void => {
    route(
      fastify,
      requestCode,
      async ({ body }) => {
        await parts.requestCode(body.email);
        return { message: "Verification code sent" };
      },
      { perMinute: perMinute.signIn },
    );

    route(
      fastify,
      verifyCode,
      async ({ body, request, reply }): Promise<LoginAnswer> => {
        const verified = await parts.verifyCode({
          email: body.email,
          code: body.otp,
          ticket: cookies.signUp.read(request),
          userAgent: userAgentOf(request),
        });
        if (verified.kind !== "plan-required") return answer({ request, reply }, verified);
        cookies.signUp.write(reply, verified.ticket);
        return { status: planSelectionRequired, tempToken: verified.ticket };
      },
      { perMinute: perMinute.verify },
    );

    route(
      fastify,
      signUp,
      async ({ body, request, reply }): Promise<LoginAnswer> => {
        const made = await parts.signUp({
          ticket: body.tempToken,
          tier: body.tier,
          checkoutSessionId: body.checkoutSessionId,
          userAgent: userAgentOf(request),
        });
        return answer({ request, reply }, made);
      },
      { perMinute: perMinute.signIn },
    );
  };
};
