import type { FastifyInstance, FastifyRequest } from "fastify";
import type { User } from "../../core/account/user.ts";
import {
  type LoginAnswer,
  planSelectionRequired,
  requestCode,
  signUp,
  verifyCode,
} from "../../core/session/sessionEndpoints.ts";
import { perMinute } from "../http/limits.ts";
import { type Call, route } from "../http/route.ts";
import type { Cookies } from "./cookies.ts";
import type { Csrf } from "./csrf.ts";
import type { makeRequestCode } from "./requestCode.ts";
import type { Credentials } from "./sessions.ts";
import type { makeSignUp } from "./signUp.ts";
import type { makeVerifyCode } from "./verifyCode.ts";

export interface LoginRouteParts {
  readonly cookies: Cookies;
  readonly csrf: Pick<Csrf, "give">;
  readonly requestCode: ReturnType<typeof makeRequestCode>;
  readonly verifyCode: ReturnType<typeof makeVerifyCode>;
  readonly signUp: ReturnType<typeof makeSignUp>;
}

const userAgentOf = (request: FastifyRequest): string => request.headers["user-agent"] ?? "";

/** POST /login, PUT /login, POST /signup: from an address to a session (SI9, D36). */
export const loginRoutes = (parts: LoginRouteParts) => {
  const { cookies, csrf } = parts;

  const signedIn = (
    { request, reply }: Pick<Call<unknown, unknown>, "request" | "reply">,
    { sessionId, cookie, token }: Credentials,
    user: User,
  ): LoginAnswer => {
    cookies.session.write(reply, cookie);
    cookies.signUp.clear(reply);
    csrf.give(request, reply, sessionId);
    return { token, user };
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
        if (verified.kind === "signed-in")
          return signedIn({ request, reply }, verified.credentials, verified.user);
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
        return signedIn({ request, reply }, made.credentials, made.user);
      },
      { perMinute: perMinute.signIn },
    );
  };
};
