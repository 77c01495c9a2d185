import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { csrfHeader, isAuthenticationPath } from "../contract/csrf.ts";
import type { Http } from "../ports/http.ts";
import { type Random, randomHex } from "../ports/random.ts";

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
    return pipe(
      next({ ...request, headers }),
      TE.tapIO((response) => () => learn(response.headers[csrfHeader])),
    )();
  };
