import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { mailboxKey } from "../../../../core/mail/emailAddress.ts";
import {
  type LoginAnswer,
  openSignInLink,
  planSelectionRequired,
  requestCode,
  type SignedIn,
  signUp,
  verifyCode,
  verifyTwoFactor,
} from "../../../../core/session/sessionEndpoints.ts";
import type { FeatureContext } from "../../../context/feature.ts";
import { UseCaseError } from "../../../platform/errors/useCaseError.ts";
import { perMinute } from "../../../platform/http/httpLimits.ts";
import { isFromLoopback } from "../../../platform/http/loopback.ts";
import { route } from "../../../platform/http/route.ts";
import { widerNetworkOf } from "../../../platform/ops/networkOf.ts";
import { logRefusedPeer } from "../../../platform/ops/refusedPeers.ts";
import type { CodeNetwork } from "../../signInCodes/codeNetwork.ts";
import type { SignedInUser, SignInResult } from "../completeSignIn.ts";
import type { createVerifySecondFactor } from "../twoFactor/verifySecondFactor.ts";
import type { ProvenMailbox } from "./provenMailbox.ts";
import type { createRequestCode } from "./requestCode.ts";
import type { createOpenSignInLink } from "./signInLink.ts";
import type { createSignUp } from "./signUp.ts";
import type { createVerifyCode } from "./verifyCode.ts";

/** The parts that the routes of sign-in share. */
export type SignInHttp = Pick<FeatureContext, "cookies" | "csrf" | "session" | "log">;

interface SignInUseCases {
  readonly requestCode: ReturnType<typeof createRequestCode>;
  readonly verifyCode: ReturnType<typeof createVerifyCode>;
  readonly openLink: ReturnType<typeof createOpenSignInLink>;
  readonly signUp: ReturnType<typeof createSignUp>;
}

/** The request and the response of a sign-in. */
export interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** Returns the User-Agent header, or "". */
export const userAgentOf = (request: FastifyRequest): string => request.headers["user-agent"] ?? "";

/** Returns who asks for a code or tries one. */
export const clientOf = (
  { cookies, session: { browsers } }: SignInHttp,
  request: FastifyRequest,
  email: string,
): { readonly browser: string | null; readonly network: CodeNetwork } => ({
  browser: browsers.read(cookies.browser.read(request), mailboxKey(email)),
  network: { name: widerNetworkOf(request.ip), isLocal: isFromLoopback(request) },
});

/** Logs the address of whoever does not prove who they are, or tries it too often. */
export const loggingRefusals = async <A>(
  { log }: Pick<SignInHttp, "log">,
  request: FastifyRequest,
  signIn: Promise<A>,
): Promise<A> => {
  try {
    return await signIn;
  } catch (error) {
    if (error instanceof UseCaseError && (error.kind === "unauthenticated" || error.kind === "too-often"))
      logRefusedPeer(log, "sign-in", request.ip);
    throw error;
  }
};

/** Sets the cookies of a new session and returns the answer for the page's scripts. */
export const startSession = async (
  { cookies, csrf, session: { browsers, identities } }: SignInHttp,
  { request, reply }: Exchange,
  signedIn: SignedInUser,
): Promise<SignedIn> => {
  const { credentials, user } = signedIn;
  const { sessionId, cookie, token } = credentials;
  const signOn = identities.pending(cookies.signOn.read(request));
  cookies.signOn.clear(reply);
  if (signOn !== null) await identities.settle(signOn, signedIn);
  cookies.session.write(reply, cookie);
  cookies.signUp.clear(reply);
  const emailKey = mailboxKey(user.email);
  if (browsers.read(cookies.browser.read(request), emailKey) === null)
    cookies.browser.write(reply, browsers.issue(emailKey));
  csrf.issue(request, reply, sessionId);
  return { token, user };
};

/** Creates the answers to what a sign-in has proven: the session, or what is still missing. */
export const createSignInAnswers = (http: SignInHttp) => {
  const answer = async (exchange: Exchange, result: SignInResult): Promise<LoginAnswer> =>
    result.kind === "signed-in"
      ? startSession(http, exchange, result)
      : { requires2FA: true, tempToken: result.ticket };

  const goOn = async (exchange: Exchange, proven: ProvenMailbox): Promise<LoginAnswer> => {
    if (proven.kind !== "plan-required") return answer(exchange, proven);
    http.cookies.signUp.write(exchange.reply, proven.ticket);
    return {
      status: planSelectionRequired,
      tempToken: proven.ticket,
      ...(proven.needsInvitation ? { needsInvitation: true } : {}),
    };
  };
  return { answer, goOn };
};

/** Registers POST /login, PUT /login, POST /login/link and POST /signup, which lead from an address to a session (SI9, D36). */
export const signInRoutes = (http: SignInHttp, useCases: SignInUseCases) => {
  const {
    cookies,
    session: { identities },
  } = http;
  const { answer, goOn } = createSignInAnswers(http);

  return (fastify: FastifyInstance): void => {
    route(
      fastify,
      requestCode,
      async ({ body, request }) => {
        identities.assertCodes(cookies.signOn.read(request), body.email);
        await useCases.requestCode({ email: body.email, ...clientOf(http, request, body.email) });
        return { message: "Verification code sent" };
      },
      { perMinute: perMinute.signIn },
    );

    route(
      fastify,
      verifyCode,
      async ({ body, request, reply }): Promise<LoginAnswer> => {
        identities.assertCodes(cookies.signOn.read(request), body.email);
        const verifying = useCases.verifyCode({
          email: body.email,
          code: body.otp,
          ticket: cookies.signUp.read(request),
          userAgent: userAgentOf(request),
          ...clientOf(http, request, body.email),
        });
        return goOn({ request, reply }, await loggingRefusals(http, request, verifying));
      },
      { perMinute: perMinute.verify },
    );

    route(
      fastify,
      openSignInLink,
      async ({ body, request, reply }): Promise<LoginAnswer> => {
        const opening = useCases.openLink(body.token, userAgentOf(request));
        return goOn({ request, reply }, await loggingRefusals(http, request, opening));
      },
      { perMinute: perMinute.verify },
    );

    route(
      fastify,
      signUp,
      async ({ body, request, reply }): Promise<LoginAnswer> => {
        const made = await useCases.signUp({
          ticket: body.tempToken,
          tier: body.tier,
          checkoutSessionId: body.checkoutSessionId,
          invitation: body.invitation,
          admitted: identities.pending(cookies.signOn.read(request)),
          userAgent: userAgentOf(request),
        });
        return answer({ request, reply }, made);
      },
      { perMinute: perMinute.signIn },
    );
  };
};

/** Registers POST /login/verify2fa, the last step of a sign-in with two factors (SI9). */
export const secondFactorRoutes =
  (http: SignInHttp, verifySecondFactor: ReturnType<typeof createVerifySecondFactor>) =>
  (fastify: FastifyInstance): void =>
    route(
      fastify,
      verifyTwoFactor,
      async ({ body, request, reply }) => {
        const { email, code, tempToken: ticket } = body;
        const verifying = verifySecondFactor({
          email,
          code,
          ticket,
          userAgent: userAgentOf(request),
          ...clientOf(http, request, email),
        });
        return startSession(http, { request, reply }, await loggingRefusals(http, request, verifying));
      },
      { perMinute: perMinute.verify },
    );
