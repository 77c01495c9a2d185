import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import type { Failure } from "../kernel/failure.ts";
import type { Call } from "../requests/call.ts";
import * as endpoints from "./sessionEndpoints.ts";

/** How long the session cookie is wanted for, in seconds: as long as the session is taken to live (SI10). */
const cookieForSeconds = 604_800;

/** What a session asks of the server (SE6 to SE8). */
export interface SessionCalls {
  /** A new token. */
  readonly refresh: TE.TaskEither<Failure, string>;
  /** Whether the server knows the token. */
  readonly validate: TE.TaskEither<Failure, void>;
  /** Has the token kept as a cookie too, for a server that signs in without one. */
  readonly setCookie: (token: string) => TE.TaskEither<Failure, void>;
  readonly clear: TE.TaskEither<Failure, void>;
  readonly logOut: TE.TaskEither<Failure, void>;
}

/** `call` is the client that all share; `direct` wears nothing that could set off another refresh or a toast. */
export const makeSessionCalls = (call: Call, direct: Call): SessionCalls => ({
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
});
