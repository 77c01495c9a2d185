import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { withBearer } from "../api/basicMiddleware.ts";
import { type Call, createCall } from "../api/call.ts";
import { csrfCookie } from "../api/csrfNames.ts";
import type { ShowToastOnce } from "../api/failureNotices.ts";
import { createRequestDeduplication, type RequestDeduplication } from "../api/requestDeduplication.ts";
import { createPlainPipeline, createRequestPipeline, type Destination } from "../api/requestPipeline.ts";
import { type RequestSession, withSessionRefresh } from "../api/sessionRefresh.ts";
import type { Failure } from "../kernel/failure.ts";
import { deferTask } from "../kernel/task.ts";
import { maskListPath } from "../masks/maskQuery.ts";
import type { Http } from "../ports/http.ts";
import type { Ports } from "../ports/ports.ts";
import { randomHex } from "../ports/random.ts";
import { getCsrfToken } from "../session/sessionEndpoints.ts";
import { plainText, type Store } from "../storage/store.ts";
import { storedKeys } from "../storage/storedKeys.ts";

/** Fetches a CSRF token and stores it, unless the session has changed in the meantime. */
const fetchCsrfToken = (
  call: Call,
  session: () => string | null,
  store: (token: string) => boolean,
): TE.TaskEither<Failure, void> =>
  deferTask(() => {
    const sessionAtStart = session();
    const save = ({ csrfToken }: { readonly csrfToken?: string }): void => {
      if (csrfToken && session() === sessionAtStart) store(csrfToken);
    };
    return pipe(call(getCsrfToken)(), TE.map(save));
  });

interface HttpClientsDeps {
  readonly ports: Ports;
  readonly destination: Destination;
  readonly store: Store;
  readonly session: RequestSession;
  readonly showToastOnce: ShowToastOnce;
  readonly isOfflineShown: () => boolean;
  readonly isTraced: boolean;
}

/** The HTTP clients that the features share. */
export interface HttpClients {
  /** Names this run of the app, a tab for example, to the server: 16 random bytes in hexadecimal. */
  readonly clientId: string;
  /** Calls endpoints through the complete request pipeline, as the signed-in user. */
  readonly call: Call;
  /** Sends without authentication, retries and toasts. */
  readonly plainHttp: Http;
  /** Sends as the signed-in user and refreshes an expired token, without retries and toasts. */
  readonly sessionHttp: Http;
  readonly forgetPendingGets: RequestDeduplication["forgetPendingGets"];
  /** Fetches and stores the CSRF token that is sent with requests. */
  readonly refreshCsrfToken: TE.TaskEither<Failure, void>;
}

/** Creates the HTTP clients over one `http` port. */
export const createHttpClients = ({
  ports,
  destination,
  store,
  session,
  showToastOnce,
  isOfflineShown,
  isTraced,
}: HttpClientsDeps): HttpClients => {
  const clientId = randomHex(ports.random, 16);
  const storedCsrf = store.get(storedKeys.csrfToken, plainText);
  const csrf = {
    read: storedCsrf.read,
    /** Stores nothing without a session, because a logout leaves nothing stored. */
    write: (token: string): boolean => session.token() !== null && storedCsrf.write(token),
  };
  const plainHttp = createPlainPipeline(ports.http, ports.random, destination);
  const deduplication = createRequestDeduplication(ports.clock, session.token);
  const call = createCall(
    createRequestPipeline(ports.http, {
      ...destination,
      random: ports.random,
      clientId,
      reporter: ports.reporter,
      telemetry: isTraced ? ports.telemetry : null,
      showToastOnce,
      isOfflineShown,
      deduplication,
      minimalRetryRoutes: [maskListPath],
      session,
      csrf: {
        fromCookie: () => ports.page.cookie(csrfCookie),
        stored: csrf,
        renew: () => refreshCsrfToken(),
      },
    }),
    ports.reporter,
  );
  const refreshCsrfToken = fetchCsrfToken(call, session.token, csrf.write);
  return {
    clientId,
    call,
    plainHttp,
    sessionHttp: withSessionRefresh(session)(withBearer(session.token)(plainHttp)),
    forgetPendingGets: deduplication.forgetPendingGets,
    refreshCsrfToken,
  };
};
