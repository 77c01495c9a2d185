import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import * as T from "fp-ts/lib/Task.js";
import type * as TE from "fp-ts/lib/TaskEither.js";
import type { Failure } from "../kernel/failure.ts";
import { chainResult, deferTask, tapResult } from "../kernel/task.ts";
import type { Http, HttpResponse } from "../ports/http.ts";
import { type Random, randomHex } from "../ports/random.ts";
import { csrfHeader } from "./csrfNames.ts";
import { parseErrorBody } from "./errorResponse.ts";

const authenticationPaths = ["/login", "/auth", "/logout", "/refresh-token", "/csrf-token", "/ws"];

/** Returns the path of a root-relative address without its query. */
const pathIn = (url: string): string => url.split(/[?#]/, 1)[0] ?? "";

/** True if a path belongs to signing in or out: it needs no CSRF token, and a 401 there does not end the session. */
export const isAuthenticationPath = (url: string): boolean => {
  const path = pathIn(url);
  return authenticationPaths.some((root) => path === root || path.startsWith(`${root}/`));
};

export interface CsrfTokens {
  readonly fromCookie: () => string | null;
  readonly stored: { readonly read: () => string | null; readonly write: (token: string) => boolean };
  readonly random: Random;
  /** Returns the session's token; a CSRF token that arrives after the session has changed is ignored. */
  readonly session: () => string | null;
}

/** Returns the CSRF token of the cookie, else the stored one, else 16 new random bytes in hexadecimal. */
const currentToken = ({ fromCookie, stored, random }: CsrfTokens): string => {
  const known = fromCookie() ?? stored.read();
  if (known !== null) return known;
  const created = randomHex(random, 16);
  stored.write(created);
  return created;
};

/** Sends the CSRF token and stores the newer one that a response carries. */
export const withCsrf =
  (tokens: CsrfTokens) =>
  (next: Http): Http =>
  (request) =>
    deferTask(() => {
      const session = tokens.session();
      const headers = isAuthenticationPath(request.url)
        ? request.headers
        : { ...request.headers, [csrfHeader]: currentToken(tokens) };
      const store = (newer: string | undefined): void => {
        if (newer && tokens.session() === session) tokens.stored.write(newer);
      };
      return pipe(
        next({ ...request, headers }),
        tapResult((outcome) => {
          if (E.isRight(outcome)) store(outcome.right.headers[csrfHeader]);
        }),
      );
    });

const isCsrfRefusal = (response: HttpResponse): boolean => {
  if (response.status !== 403) return false;
  const { message, error } = parseErrorBody(response);
  return /csrf/i.test(`${message} ${error}`);
};

/** Repeats a request once with a new CSRF token when the server has rejected the old one. */
export const withCsrfRepair =
  (renew: TE.TaskEither<Failure, unknown>) =>
  (next: Http): Http =>
  (request) =>
    pipe(
      next(request),
      chainResult((outcome) => {
        const isWorthIt = E.isRight(outcome) && isCsrfRefusal(outcome.right);
        if (!isWorthIt || isAuthenticationPath(request.url)) return T.of(outcome);
        return pipe(
          renew,
          chainResult((renewed) => (E.isRight(renewed) ? next(request) : T.of(outcome))),
        );
      }),
    );
