import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import type { Observable } from "rxjs";
import type { Call } from "../api/call.ts";
import type { Failure } from "../kernel/failure.ts";
import { endSession } from "./openSessionEndpoints.ts";
import * as endpoints from "./sessionEndpoints.ts";

/** The lifetime of the session cookie in seconds, equal to that of the session (7 days). */
const cookieForSeconds = 604_800;

/** The requests of a session. */
export interface SessionCalls {
  /** Returns a new token. */
  readonly refresh: TE.TaskEither<Failure, string>;
  /** Succeeds when the server accepts the token. */
  readonly validate: TE.TaskEither<Failure, void>;
  /** Asks the server to set the token as a cookie, for servers that set none at sign-in. */
  readonly setCookie: (token: string) => TE.TaskEither<Failure, void>;
  readonly clear: TE.TaskEither<Failure, void>;
  readonly logOut: TE.TaskEither<Failure, void>;
  /** Logs out by the cookie alone, without a toast; nothing is sent any more when `abort$` emits. */
  readonly repeatLogOut: (abort$: Observable<unknown>) => TE.TaskEither<Failure, void>;
  /** Ends another session of the user by its id, without a toast. */
  readonly endSession: (id: string) => TE.TaskEither<Failure, void>;
}

/** Creates the requests. `call` uses the complete pipeline; `direct` triggers neither a refresh nor a toast. */
export const createSessionCalls = (call: Call, direct: Call): SessionCalls => ({
  refresh: pipe(
    direct(endpoints.refreshByCookie)(),
    TE.orElse(() => direct(endpoints.refreshToken)()),
    TE.orElse(() => call(endpoints.refreshByCookie)()),
    TE.map(({ token }) => token),
  ),
  validate: call(endpoints.validateToken)(),
  setCookie: (token) => direct(endpoints.setTokenCookie)({ body: { token, maxAge: cookieForSeconds } }),
  clear: direct(endpoints.clearToken)(),
  logOut: call(endpoints.logOut)(),
  repeatLogOut: (abort$) => direct(endpoints.logOut)({ abort$ }),
  endSession: (id) => call(endSession)({ params: { id }, silent: true }),
});
