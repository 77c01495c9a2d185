import { pipe } from "fp-ts/lib/function.js";
import * as T from "fp-ts/lib/Task.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { map, Subscription } from "rxjs";
import { defaultTimeoutMs, withBearer } from "../api/basicMiddleware.ts";
import { createCall } from "../api/call.ts";
import { problemOf } from "../api/errorMessages.ts";
import { createRequestDeduplication } from "../api/requestDeduplication.ts";
import { createPlainPipeline } from "../api/requestPipeline.ts";
import { createTokenPipeline } from "../api/tokenPipeline.ts";
import { getOwnApiToken } from "../apiTokens/apiTokenEndpoints.ts";
import { createState } from "../kernel/state.ts";
import { maskListPath } from "../masks/maskQuery.ts";
import { randomHex } from "../ports/random.ts";
import type { SessionState } from "../session/session.ts";
import type { User } from "../session/user.ts";
import type { AppCredentials } from "./sessionAndRequests.ts";

/** An API token, with which a program calls the server in place of a session. */
export interface TokenCredentials {
  readonly token: string;
  /** The owner of the token; what is kept on the device belongs to this address. */
  readonly user: User;
}

const toProblem = problemOf("validateSession");

/**
 * The credentials of a program with an API token: its requests carry the token and nothing else. The user is signed in
 * from the start until the server refuses the token.
 */
export const createTokenCredentials =
  ({ token: given, user }: TokenCredentials): AppCredentials =>
  ({ ports, showToastOnce, isOfflineShown, baseAddress, timeoutMs = defaultTimeoutMs }) => {
    const { clock, random, reporter } = ports;
    const state$ = createState<SessionState>({ kind: "signed-in", user });
    const isOpen = (): boolean => state$.value.kind === "signed-in";
    const token = (): string | null => (isOpen() ? given : null);
    const end = (): void => state$.set({ kind: "signed-out" });
    const clientId = randomHex(random, 16);
    const destination = { baseAddress, timeoutMs, clock };
    const plainHttp = createPlainPipeline(ports.http, random, destination);
    const deduplication = createRequestDeduplication(clock, token);
    const call = createCall(
      createTokenPipeline(ports.http, {
        ...destination,
        random,
        clientId,
        reporter,
        showToastOnce,
        isOfflineShown,
        deduplication,
        minimalRetryRoutes: [maskListPath],
        token,
        onRefused: end,
      }),
      reporter,
    );
    const validate = pipe(
      call(getOwnApiToken)(),
      TE.bimap(toProblem, () => undefined),
    );
    return {
      httpClients: {
        clientId,
        call,
        plainHttp,
        sessionHttp: withBearer(token)(plainHttp),
        forgetPendingGets: deduplication.forgetPendingGets,
        refreshCsrfToken: TE.right(undefined),
      },
      session: {
        state$,
        // The token stays valid: its owner revokes it.
        logOut: () => T.fromIO(end),
        refresh: () => validate,
        validate: () => validate,
        startSession: () => false,
        continueAs: (changed) => state$.set({ kind: "signed-in", user: changed }),
        expire: end,
        start: () => new Subscription(),
      },
      token,
      owner: () => (isOpen() ? user.email : null),
      user$: state$.pipe(map((state) => (state.kind === "signed-in" ? state.user : null))),
    };
  };
