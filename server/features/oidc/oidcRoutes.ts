import formbody from "node:querystring";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import * as t from "io-ts";
import { codeRequired, type LoginAnswer, openSignOnTicket } from "../../../core/session/sessionEndpoints.ts";
import { signOnAddress } from "../../../core/session/signIn/singleSignOn.ts";
import type { FeatureContext } from "../../context/feature.ts";
import { perMinute } from "../../platform/http/httpLimits.ts";
import { publicPathOf } from "../../platform/http/publicPath.ts";
import { route } from "../../platform/http/route.ts";
import { sameHash } from "../../platform/ops/keyedHash.ts";
import { signOnWithinMs } from "../session/lifetimes.ts";
import type { createRequestCode } from "../session/signIn/requestCode.ts";
import {
  clientOf,
  createSignInAnswers,
  loggingRefusals,
  userAgentOf,
} from "../session/signIn/signInRoutes.ts";
import type { createBackChannelLogout } from "./backChannelLogout.ts";
import { callbackPath, logoutPath, type Provider, type SignOnChecks } from "./provider.ts";
import type { createAdmitIdentity, createOpenTicket } from "./signOn.ts";
import type { SignOnOutcome } from "./signOnMetrics.ts";
import { asRefusal, SignOnRefusal } from "./signOnRefusal.ts";

const KeptChecks = t.type({ state: t.string, nonce: t.string, verifier: t.string, until: t.number });

const stateContext = "sign-on state";

interface SignOnUseCases {
  readonly provider: Provider;
  readonly admit: ReturnType<typeof createAdmitIdentity>;
  readonly openTicket: ReturnType<typeof createOpenTicket>;
  readonly requestCode: ReturnType<typeof createRequestCode>;
  readonly logOut: ReturnType<typeof createBackChannelLogout>;
  readonly count: (outcome: SignOnOutcome) => void;
}

/** The dependencies of the routes, beside the use cases. */
interface OidcRoutesDeps
  extends Pick<FeatureContext, "config" | "cookies" | "csrf" | "session" | "log" | "seal" | "clock">,
    SignOnUseCases {}

const keep = (
  { cookies, seal, clock }: Pick<OidcRoutesDeps, "cookies" | "seal" | "clock">,
  reply: FastifyReply,
  checks: SignOnChecks,
): void =>
  cookies.signOnState.write(
    reply,
    seal.seal(JSON.stringify({ ...checks, until: clock.now() + signOnWithinMs }), stateContext),
  );

const kept = (
  { cookies, seal, clock }: Pick<OidcRoutesDeps, "cookies" | "seal" | "clock">,
  request: FastifyRequest,
): SignOnChecks | null => {
  try {
    const text = seal.open(cookies.signOnState.read(request) ?? "", stateContext);
    const decoded = KeptChecks.decode(JSON.parse(text));
    return decoded._tag === "Right" && decoded.right.until > clock.now() ? decoded.right : null;
  } catch {
    return null;
  }
};

/** Sends the browser back to the sign-in page with the reason. */
const turnBack = (
  { config, count, log }: Pick<OidcRoutesDeps, "config" | "count" | "log">,
  reply: FastifyReply,
  error: unknown,
  during: string,
): FastifyReply => {
  const { problem, reason } = asRefusal(error, during);
  count(problem);
  log.info({ refused: "sign-on", problem, reason }, "a login by the provider was refused");
  const place = problem === "cancelled" ? "/login" : signOnAddress({ kind: "problem", problem });
  return reply.redirect(`${publicPathOf(config.publicUrl)}${place}`, 303);
};

const comeBack = async (
  deps: OidcRoutesDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> => {
  const { config, cookies, provider, admit, count } = deps;
  const checks = kept(deps, request);
  cookies.signOnState.clear(reply);
  const { search } = new URL(request.url, config.publicUrl);
  const address = new URL(`${config.publicUrl}${callbackPath}${search}`);
  const state = address.searchParams.get("state") ?? "";
  if (checks === null) throw new SignOnRefusal("expired", "no state");
  if (!sameHash(state, checks.state)) throw new SignOnRefusal("expired", "another state");
  const { ticket, binding } = await admit(await provider.finish(address, checks));
  count("admitted");
  cookies.signOn.write(reply, binding);
  return reply.redirect(`${publicPathOf(config.publicUrl)}${signOnAddress({ kind: "ticket", ticket })}`, 303);
};

/** Registers the navigations to the provider and back. */
const navigations = (deps: OidcRoutesDeps, fastify: FastifyInstance): void => {
  const limited = { config: { perMinute: perMinute.signIn } };
  fastify.get("/login/oidc", limited, async (_request, reply) => {
    try {
      const { address, checks } = await deps.provider.begin();
      keep(deps, reply, checks);
      return reply.redirect(address, 303);
    } catch (error) {
      return turnBack(deps, reply, error, "begin");
    }
  });
  fastify.get(callbackPath, limited, async (request, reply) => {
    try {
      return await comeBack(deps, request, reply);
    } catch (error) {
      if (!(error instanceof SignOnRefusal)) throw error;
      return turnBack(deps, reply, error, "callback");
    }
  });
};

const ticketRoute = (deps: OidcRoutesDeps, fastify: FastifyInstance): void => {
  const { cookies, openTicket, requestCode } = deps;
  const { goOn } = createSignInAnswers(deps);
  route(
    fastify,
    openSignOnTicket,
    async ({ body, request, reply }): Promise<LoginAnswer> => {
      const opening = openTicket({
        ticket: body.ticket,
        binding: cookies.signOn.read(request) ?? "",
        userAgent: userAgentOf(request),
      });
      const opened = await loggingRefusals(deps, request, opening);
      if (opened.pending !== null) cookies.signOn.write(reply, opened.pending);
      const { email } = opened;
      if (opened.kind === "proven") {
        const answer = await goOn({ request, reply }, opened.proven);
        return { ...answer, email };
      }
      await requestCode({ email, ...clientOf(deps, request, email) });
      return { status: codeRequired, email };
    },
    { perMinute: perMinute.signIn },
  );
};

/** Registers the logout that the provider sends, as a form. */
const logoutRoute = ({ logOut, count, log }: OidcRoutesDeps, scope: FastifyInstance): void => {
  scope.addContentTypeParser(
    "application/x-www-form-urlencoded",
    { parseAs: "string" },
    (_request, body, parsed) => parsed(null, formbody.parse(String(body))),
  );
  const often = { config: { perMinute: perMinute.verify } };
  scope.post(logoutPath, often, async ({ body }, reply) => {
    const sent: unknown = (body as { logout_token?: unknown } | null | undefined)?.logout_token;
    try {
      const ended = await logOut(typeof sent === "string" ? sent : "");
      count("logout");
      log.info({ ended }, "the identity provider ended sessions");
      return reply.code(200).send();
    } catch (error) {
      if (!(error instanceof SignOnRefusal)) throw error;
      count("logout-refused");
      log.info({ refused: "logout", reason: error.reason }, "a logout by the provider was refused");
      return reply.code(400).send({ error: "invalid_request", error_description: "The token was refused." });
    }
  });
};

/**
 * Registers the way to the provider and back, the exchange of its ticket, and the provider's own logout. Nothing that a
 * request contains decides where a browser is sent.
 */
export const oidcRoutes =
  (deps: OidcRoutesDeps) =>
  (fastify: FastifyInstance): void => {
    navigations(deps, fastify);
    ticketRoute(deps, fastify);
    fastify.register(async (scope) => logoutRoute(deps, scope));
  };
