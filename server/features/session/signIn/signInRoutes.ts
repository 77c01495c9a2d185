import type { FastifyInstance, FastifyRequest } from "fastify";
import { mailboxKey } from "../../../../core/mail/emailAddress.ts";
import {
  type LoginAnswer,
  planSelectionRequired,
  requestCode,
  signUp,
  verifyCode,
  verifyTwoFactor,
} from "../../../../core/session/sessionEndpoints.ts";
import { perMinute } from "../../../platform/http/limits.ts";
import { route } from "../../../platform/http/route.ts";
import { codeNetworkOf } from "../../codes/codeNetwork.ts";
import type { Cookies } from "../cookies.ts";
import { type SignInExchange, type SignInResult, type StartSession, userAgentOf } from "../startSession.ts";
import type { createVerifySecondFactor } from "../twoFactor/verifySecondFactor.ts";
import type { KnownBrowsers } from "./knownBrowser.ts";
import type { createRequestCode } from "./requestCode.ts";
import type { createSignUp } from "./signUp.ts";
import type { createVerifyCode } from "./verifyCode.ts";

export interface SignInRouteDeps {
  readonly cookies: Cookies;
  readonly browsers: KnownBrowsers;
  readonly startSession: StartSession;
  readonly requestCode: ReturnType<typeof createRequestCode>;
  readonly verifyCode: ReturnType<typeof createVerifyCode>;
  readonly signUp: ReturnType<typeof createSignUp>;
}

type ClientDeps = Pick<SignInRouteDeps, "cookies" | "browsers">;

/** Creates the function that returns who asks for a code or tries one. */
const createClientOf =
  ({ cookies, browsers }: ClientDeps) =>
  (request: FastifyRequest, email: string) => ({
    browser: browsers.read(cookies.browser.read(request), mailboxKey(email)),
    network: codeNetworkOf(request),
  });

/** Registers POST /login, PUT /login, and POST /signup, which lead from an address to a session (SI9, D36). */
export const signInRoutes = (deps: SignInRouteDeps) => {
  const { cookies, startSession } = deps;
  const clientOf = createClientOf(deps);

  const answer = (exchange: SignInExchange, result: SignInResult): LoginAnswer =>
    result.kind === "signed-in"
      ? startSession(exchange, result)
      : { requires2FA: true, tempToken: result.ticket };

  return (fastify: FastifyInstance): void => {
    route(
      fastify,
      requestCode,
      async ({ body, request }) => {
        await deps.requestCode({ email: body.email, ...clientOf(request, body.email) });
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
          ...clientOf(request, body.email),
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

export interface SecondFactorRouteDeps extends ClientDeps {
  readonly startSession: StartSession;
  readonly verifySecondFactor: ReturnType<typeof createVerifySecondFactor>;
}

/** Registers POST /login/verify2fa, the last step of a sign-in with two factors (SI9). */
export const secondFactorRoutes =
  ({ startSession, verifySecondFactor, ...clientDeps }: SecondFactorRouteDeps) =>
  (fastify: FastifyInstance): void =>
    route(
      fastify,
      verifyTwoFactor,
      async ({ body, request, reply }) => {
        const { email, code, tempToken: ticket } = body;
        return startSession(
          { request, reply },
          await verifySecondFactor({
            email,
            code,
            ticket,
            userAgent: userAgentOf(request),
            ...createClientOf(clientDeps)(request, email),
          }),
        );
      },
      { perMinute: perMinute.verify },
    );
