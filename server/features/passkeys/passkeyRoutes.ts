import type { FastifyInstance, FastifyRequest } from "fastify";
import * as backupEndpoints from "../../../core/passkeys/keyBackupEndpoints.ts";
import * as endpoints from "../../../core/passkeys/passkeyEndpoints.ts";
import type { LoginAnswer } from "../../../core/session/sessionEndpoints.ts";
import type { FeatureContext } from "../../context/feature.ts";
import { UseCaseError } from "../../platform/errors/useCaseError.ts";
import { perMinute } from "../../platform/http/httpLimits.ts";
import { isFromLoopback } from "../../platform/http/loopback.ts";
import { route, routePreparedWrite, routeSignedIn, routeWrite } from "../../platform/http/route.ts";
import { widerNetworkOf } from "../../platform/ops/networkOf.ts";
import { afterCommit } from "../../platform/store/afterCommit.ts";
import type { AuthContext } from "../../platform/store/authContext.ts";
import { recordProof } from "../recentProof/recentProof.ts";
import {
  loggingRefusals,
  type SignInHttp,
  startSession,
  userAgentOf,
} from "../session/signIn/signInRoutes.ts";
import type { CodeNetwork } from "../signInCodes/codeNetwork.ts";
import type { CheckPasskey } from "./checkPasskey.ts";
import { keepKeyBackup, listKeyBackups, removeKeyBackup } from "./keyBackups.ts";
import { signInOptions } from "./relyingParty.ts";
import type { createSignInWithPasskey } from "./signInWithPasskey.ts";
import {
  addPasskey,
  answerPasskeyOffer,
  changePasskeyName,
  type PasskeyCaller,
  type PasskeyContext,
  passkeyOptions,
  readPasskeys,
  removePasskey,
  setPasskeysOnly,
} from "./userPasskeys.ts";

export interface PasskeyRouteContext extends PasskeyContext {
  readonly signIn: ReturnType<typeof createSignInWithPasskey>;
  readonly checkPasskey: CheckPasskey;
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
  (http: SignInHttp, { signIn, challenges, party, onlyProvider }: PasskeyRouteContext) =>
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

const callerOf = ({ userId, callerId }: AuthContext): PasskeyCaller => ({ userId, sessionId: callerId });

/** Registers the endpoints of passkeys, each limited to the signed-in user's own. */
export const passkeyRoutes =
  ({ authGuard, cookies }: Pick<FeatureContext, "authGuard" | "cookies">, context: PasskeyRouteContext) =>
  (fastify: FastifyInstance): void => {
    const { onlyProvider, party, challenges, checkPasskey, clock, database } = context;
    const limited = { perMinute: perMinute.signIn };
    routeSignedIn(fastify, authGuard, endpoints.listPasskeys, ({ auth }) =>
      readPasskeys(database.db, callerOf(auth)),
    );
    routeSignedIn(
      fastify,
      authGuard,
      endpoints.getPasskeyOptions,
      async ({ auth }) => {
        assertTaken(onlyProvider);
        return { options: await passkeyOptions(context, auth.userId) };
      },
      { ...limited, answerStored: "afterwards" },
    );
    routePreparedWrite(
      fastify,
      authGuard,
      endpoints.postPasskey,
      ({ auth, body, request }) =>
        addPasskey(context, auth.userId, { passkey: body, userAgent: userAgentOf(request) }),
      limited,
    );
    routeWrite(fastify, authGuard, endpoints.patchPasskey, ({ tx, auth, params, body }) =>
      changePasskeyName(context, tx, callerOf(auth), { id: params.id, name: body.name }),
    );
    routeWrite(
      fastify,
      authGuard,
      endpoints.deletePasskey,
      async ({ tx, auth, params, reply }) => {
        const ended = await removePasskey(context, tx, auth.userId, params.id);
        if (ended.includes(auth.callerId))
          afterCommit(tx, () => {
            for (const jar of [cookies.session, cookies.csrf]) jar.clear(reply);
          });
      },
      limited,
    );
    routeWrite(
      fastify,
      authGuard,
      endpoints.putPasskeysOnly,
      ({ tx, auth, body }) => setPasskeysOnly(context, tx, callerOf(auth), body.only),
      limited,
    );
    routeSignedIn(
      fastify,
      authGuard,
      endpoints.getProofOptions,
      async ({ auth }) => ({
        options: signInOptions(party, challenges.create(auth.userId)),
      }),
      { ...limited, answerStored: "afterwards" },
    );
    routeSignedIn(
      fastify,
      authGuard,
      endpoints.proveByPasskey,
      ({ auth, body, request }) =>
        checkPasskey(body, { userId: auth.userId, network: networkOf(request) }, (db) =>
          recordProof(db, auth.callerId, clock.now()),
        ),
      { perMinute: perMinute.verify, answerStored: "afterwards" },
    );
    routeSignedIn(fastify, authGuard, backupEndpoints.listKeyBackups, async ({ auth }) => ({
      backups: await listKeyBackups(database.db, auth.userId),
    }));
    routeWrite(
      fastify,
      authGuard,
      backupEndpoints.putKeyBackup,
      ({ tx, auth, body }) => keepKeyBackup(context, tx, auth.userId, body),
      { ...limited, addsData: true },
    );
    routeWrite(fastify, authGuard, backupEndpoints.deleteKeyBackup, ({ tx, auth, params }) =>
      removeKeyBackup(context, tx, auth.userId, params.id),
    );
    routeWrite(fastify, authGuard, endpoints.putPasskeyOffer, ({ tx, auth, body }) =>
      answerPasskeyOffer(context, tx, auth.userId, body.answer),
    );
  };
