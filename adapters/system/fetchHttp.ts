import { left, right } from "fp-ts/lib/Either.js";
import { canceled, type Failure, network } from "../../core/kernel/failure.ts";
import type { Http, HttpResponse } from "../../core/ports/http.ts";

/** Converts an error of `fetch`: aborted requests are an `AbortError` or, when the page is left, "cancelled". */
const toFailure = (error: unknown): Failure => {
  const detail = error instanceof Error ? error.message : String(error);
  return /\b(abort|cancel)/i.test(detail) ? canceled : network(detail);
};

/** Joins header values of the same name by commas (RFC 9110, 5.3), also `set-cookie`, which only Node shows. */
const joinHeaders = (headers: Headers): Readonly<Record<string, string>> => {
  const joined = new Map<string, string>();
  for (const [name, value] of headers) joined.set(name, [joined.get(name), value].filter(Boolean).join(", "));
  return Object.fromEntries(joined);
};

const readResponse = async (response: Response): Promise<HttpResponse> => ({
  status: response.status,
  headers: joinHeaders(response.headers),
  body: await response.text(),
});

const overFetch =
  (credentials: RequestCredentials): Http =>
  ({ url, method, headers, body, abort$ }) =>
  () => {
    const controller = new AbortController();
    const subscription = abort$?.subscribe(() => controller.abort());
    return fetch(url, { method, headers, body: body ?? null, credentials, signal: controller.signal })
      .then(readResponse)
      .then(right, (error: unknown) => left(toFailure(error)))
      .finally(() => subscription?.unsubscribe());
  };

/** The HTTP port over `fetch`, with cookies. An abandoned request is aborted. */
export const fetchHttp = overFetch("include");

/**
 * The HTTP port over `fetch` without cookies, for a program in a browser that has an API token: the browser lets pages of any
 * origin read answers to such requests, and the session of the product's own page stays out of them.
 */
export const fetchHttpWithoutCookies = overFetch("omit");

/** The response to a GET of this address and bearer token that was requested before; undefined where there is none. */
export type TakeResponse = (url: string, token: string) => Promise<Response> | undefined;

/** Answers a GET with a response that was requested before; sends it where that has not reached the server. */
export const withEarlyResponse =
  (take: TakeResponse) =>
  (next: Http): Http =>
  (request) =>
  async () => {
    const token = request.headers["authorization"]?.replace(/^Bearer /, "") ?? "";
    const early = request.method === "GET" ? take(request.url, token) : undefined;
    const response = await early?.catch(() => undefined);
    if (response === undefined) return next(request)();
    return readResponse(response).then(right, (error: unknown) => left(toFailure(error)));
  };
