import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { User } from "../../core/account/user.ts";
import {
  type LoginAnswer,
  planSelectionRequired,
  requestCode,
  signUp,
  verifyCode,
} from "../../core/session/sessionEndpoints.ts";
import { perMinute } from "../http/limits.ts";
import { route } from "../http/route.ts";
import type { Cookies } from "./cookies.ts";
import type { makeRequestCode } from "./requestCode.ts";
import type { Credentials } from "./sessions.ts";
import type { makeSignUp } from "./signUp.ts";
import type { makeVerifyCode } from "./verifyCode.ts";

export interface LoginRouteParts {
  readonly cookies: Cookies;
  readonly requestCode: ReturnType<typeof makeRequestCode>;
  readonly verifyCode: ReturnType<typeof makeVerifyCode>;
  readonly signUp: ReturnType<typeof makeSignUp>;
}

const userAgentOf = (request: FastifyRequest): string => request.headers["user-agent"] ?? "";

/** POST /login, PUT /login, POST /signup: from an address to a session (SI9, D36). */
export const loginRoutes = (parts: LoginRouteParts) => {
  const { cookies } = parts;

  const signedIn = (reply: FastifyReply, credentials: Credentials, user: User): LoginAnswer => {
    cookies.session.write(reply, credentials.cookie);
    cookies.signUp.clear(reply);
    return { token: credentials.token, user };
  };

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
        if (verified.kind === "signed-in") return signedIn(reply, verified.credentials, verified.user);
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
          userAgent: userAgentOf(request),
        });
        return signedIn(reply, made.credentials, made.user);
      },
      { perMinute: perMinute.signIn },
    );
  };
};
