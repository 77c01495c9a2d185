import type { FastifyInstance, FastifyRequest } from "fastify";
import { deleteKeyBackup, listKeyBackups, putKeyBackup } from "../../../core/passkeys/keyBackupEndpoints.ts";
import * as endpoints from "../../../core/passkeys/passkeyEndpoints.ts";
import type { LoginAnswer } from "../../../core/session/sessionEndpoints.ts";
import type { FeatureContext } from "../../context/feature.ts";
import { UseCaseError } from "../../platform/errors/useCaseError.ts";
import { perMinute } from "../../platform/http/httpLimits.ts";
import { isFromLoopback } from "../../platform/http/loopback.ts";
import { route, routeSignedIn } from "../../platform/http/route.ts";
import { widerNetworkOf } from "../../platform/ops/networkOf.ts";
import type { CodeNetwork } from "../codes/codeNetwork.ts";
import { recordProof } from "../recentProof/recentProof.ts";
import {
  loggingRefusals,
  type SignInHttp,
  startSession,
  userAgentOf,
} from "../session/signIn/signInRoutes.ts";
import type { Challenges } from "./challenges.ts";
import type { CheckPasskey } from "./checkPasskey.ts";
import type { UserKeyBackups } from "./keyBackups.ts";
import { type RelyingParty, signInOptions } from "./relyingParty.ts";
import type { createSignInWithPasskey } from "./signInWithPasskey.ts";
import type { UserPasskeys } from "./userPasskeys.ts";

export interface PasskeyRouteDeps {
  readonly passkeys: UserPasskeys;
  readonly signIn: ReturnType<typeof createSignInWithPasskey>;
  readonly challenges: Challenges;
  readonly party: RelyingParty;
  readonly checkPasskey: CheckPasskey;
  readonly keyBackups: UserKeyBackups;
  /** The provider whose accounts alone log in here (OIDC_ONLY); null elsewhere. */
  readonly onlyProvider: string | null;
}

const assertTaken = (onlyProvider: string | null): void => {
  if (onlyProvider !== null)
    throw new UseCaseError("forbidden", `Passkeys are switched off here. Log in with ${onlyProvider}.`);
};

const networkOf = (request: FastifyRequest): CodeNetwork => ({
  name: widerNetworkOf(request.ip),
  isLocal: isFromLoopback(request),
});

/** Registers the sign-in with a passkey, which needs no address. */
export const passkeySignInRoutes =
  (http: SignInHttp, { signIn, challenges, party, onlyProvider }: PasskeyRouteDeps) =>
  (fastify: FastifyInstance): void => {
    route(
      fastify,
      endpoints.getSignInOptions,
      async () => {
        assertTaken(onlyProvider);
        return { options: signInOptions(party, challenges.create(null)) };
      },
      { perMinute: perMinute.signIn },
    );

    route(
      fastify,
      endpoints.signInWithPasskey,
      async ({ body, request, reply }): Promise<LoginAnswer> => {
        assertTaken(onlyProvider);
        const signingIn = signIn(body, userAgentOf(request), networkOf(request));
        const { result, email } = await loggingRefusals(http, request, signingIn);
        return result.kind === "signed-in"
          ? startSession(http, { request, reply }, result)
          : { requires2FA: true, tempToken: result.ticket, email };
      },
      { perMinute: perMinute.verify },
    );
  };

/** Registers the endpoints of passkeys, each limited to the signed-in user's own. */
export const passkeyRoutes =
  (
    { authGuard, cookies, clock }: Pick<FeatureContext, "authGuard" | "cookies" | "clock">,
    { passkeys, onlyProvider, party, challenges, checkPasskey, keyBackups }: PasskeyRouteDeps,
  ) =>
  (fastify: FastifyInstance): void => {
    routeSignedIn(fastify, authGuard, endpoints.listPasskeys, ({ auth }) =>
      passkeys.list({ userId: auth.userId, sessionId: auth.callerId }),
    );
    routeSignedIn(
      fastify,
      authGuard,
      endpoints.getPasskeyOptions,
      async ({ auth }) => {
        assertTaken(onlyProvider);
        return { options: await passkeys.options(auth.userId) };
      },
      { perMinute: perMinute.signIn },
    );
    routeSignedIn(
      fastify,
      authGuard,
      endpoints.postPasskey,
      ({ auth, body, request, recordAnswer }) =>
        passkeys.add(auth.userId, { passkey: body, userAgent: userAgentOf(request) }, recordAnswer),
      { perMinute: perMinute.signIn },
    );
    routeSignedIn(fastify, authGuard, endpoints.patchPasskey, ({ auth, params, body, recordAnswer }) =>
      passkeys.rename(
        { userId: auth.userId, sessionId: auth.callerId },
        { id: params.id, name: body.name },
        recordAnswer,
      ),
    );
    routeSignedIn(
      fastify,
      authGuard,
      endpoints.deletePasskey,
      async ({ auth, params, reply, recordAnswer }) => {
        const ended = await passkeys.remove(auth.userId, params.id, recordAnswer);
        if (ended.includes(auth.callerId))
          for (const jar of [cookies.session, cookies.csrf]) jar.clear(reply);
      },
      { perMinute: perMinute.signIn },
    );
    routeSignedIn(
      fastify,
      authGuard,
      endpoints.putPasskeysOnly,
      ({ auth, body, recordAnswer }) =>
        passkeys.setOnly({ userId: auth.userId, sessionId: auth.callerId }, body.only, recordAnswer),
      { perMinute: perMinute.signIn },
    );
    routeSignedIn(
      fastify,
      authGuard,
      endpoints.getProofOptions,
      async ({ auth }) => ({
        options: signInOptions(party, challenges.create(auth.userId)),
      }),
      { perMinute: perMinute.signIn },
    );
    routeSignedIn(
      fastify,
      authGuard,
      endpoints.proveByPasskey,
      ({ auth, body, request }) =>
        checkPasskey(body, { userId: auth.userId, network: networkOf(request) }, (db) =>
          recordProof(db, auth.callerId, clock.now()),
        ),
      { perMinute: perMinute.verify },
    );
    routeSignedIn(fastify, authGuard, listKeyBackups, async ({ auth }) => ({
      backups: await keyBackups.list(auth.userId),
    }));
    routeSignedIn(
      fastify,
      authGuard,
      putKeyBackup,
      ({ auth, body, recordAnswer }) => keyBackups.keep(auth.userId, body, recordAnswer),
      { perMinute: perMinute.signIn, addsData: true },
    );
    routeSignedIn(fastify, authGuard, deleteKeyBackup, ({ auth, params, recordAnswer }) =>
      keyBackups.remove(auth.userId, params.id, recordAnswer),
    );
    routeSignedIn(fastify, authGuard, endpoints.putPasskeyOffer, ({ auth, body, recordAnswer }) =>
      passkeys.answerOffer(auth.userId, body.answer, recordAnswer),
    );
  };
