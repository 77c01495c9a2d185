import * as E from "fp-ts/lib/Either.js";
import type * as TE from "fp-ts/lib/TaskEither.js";
import { csrfHeader, isAuthenticationPath } from "../contract/csrf.ts";
import type { Failure } from "../kernel/failure.ts";
import type { Http, HttpResponse } from "../ports/http.ts";
import { type Random, randomHex } from "../ports/random.ts";
import { saidIn } from "./refusal.ts";

export interface CsrfTokens {
  readonly fromCookie: () => string | null;
  readonly stored: { readonly read: () => string | null; readonly write: (token: string) => boolean };
  readonly random: Random;
  /** The session in whose name a request goes out; an answer that arrives under another teaches nothing. */
  readonly session: () => string | null;
}

/** The token to send: the cookie's, else the stored one, else 16 new random bytes in hexadecimal. */
const currentToken = ({ fromCookie, stored, random }: CsrfTokens): string => {
  const known = fromCookie() ?? stored.read();
  if (known !== null) return known;
  const made = randomHex(random, 16);
  stored.write(made);
  return made;
};

/** Sends the anti-forgery token where it belongs and learns a newer one from each answer (RQ2). */
export const withCsrf =
  (tokens: CsrfTokens) =>
  (next: Http): Http =>
  (request) =>
  () => {
    const session = tokens.session();
    const headers = isAuthenticationPath(request.url)
      ? request.headers
      : { ...request.headers, [csrfHeader]: currentToken(tokens) };
    const learn = (newer: string | undefined): void => {
      if (newer && tokens.session() === session) tokens.stored.write(newer);
    };
    return next({ ...request, headers })().then((outcome) => {
      if (E.isRight(outcome)) learn(outcome.right.headers[csrfHeader]);
      return outcome;
    });
  };

/** A 403 that speaks of CSRF: the token is at fault, not the request. */
const isCsrfRefusal = (response: HttpResponse): boolean => {
  if (response.status !== 403) return false;
  const { message, error } = saidIn(response);
  return /csrf/i.test(`${message} ${error}`);
};

/** Repeats once, with a new anti-forgery token, what was refused for the lack of a good one (RQ9). */
export const withCsrfRepair =
  (renew: TE.TaskEither<Failure, unknown>) =>
  (next: Http): Http =>
  (request) =>
  () =>
    next(request)().then((outcome) => {
      const isWorthIt = E.isRight(outcome) && isCsrfRefusal(outcome.right);
      if (!isWorthIt || isAuthenticationPath(request.url)) return outcome;
      return renew().then((renewed) => (E.isRight(renewed) ? next(request)() : outcome));
    });
