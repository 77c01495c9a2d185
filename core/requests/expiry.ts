import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { isAuthenticationPath } from "../contract/csrf.ts";
import type { Http } from "../ports/http.ts";

export interface SessionWatch {
  readonly token: () => string | null;
  /** The server no longer knows the session. */
  readonly expired: () => void;
}

/**
 * Tells when the server refuses the stored token with a 401 (SI14). Requests that sign in or out are left alone,
 * and so is a late answer to a token that has been replaced since.
 */
export const withExpiry =
  ({ token, expired }: SessionWatch) =>
  (next: Http): Http =>
  (request) => {
    const sent = request.headers.authorization;
    const isOurs = (): boolean => sent !== undefined && sent === `Bearer ${token()}`;
    return pipe(
      next(request),
      TE.tapIO(({ status }) => () => {
        if (status === 401 && !isAuthenticationPath(request.url) && isOurs()) expired();
      }),
    );
  };
