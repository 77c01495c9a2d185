import type { Http } from "../ports/http.ts";
import { type Random, randomHex } from "../ports/random.ts";

/** Sends to `baseAddress`; an empty one means the page's own origin (RQ1, D3). */
export const withAddress =
  (baseAddress: string) =>
  (next: Http): Http =>
  (request) =>
    next({ ...request, url: baseAddress.replace(/\/+$/, "") + request.url });

/** Speaks JSON, and says so: the same path answers browsers with a page (D4). */
export const withJson =
  (next: Http): Http =>
  (request) =>
    next({
      ...request,
      headers: {
        accept: "application/json",
        ...(request.body === undefined ? {} : { "content-type": "application/json" }),
        ...request.headers,
      },
    });

/** Shows who is asking, when a token is stored. It is read anew for each request. */
export const withBearer =
  (token: () => string | null) =>
  (next: Http): Http =>
  (request) =>
  () => {
    const held = token();
    const headers = held === null ? request.headers : { ...request.headers, authorization: `Bearer ${held}` };
    return next({ ...request, headers })();
  };

/** Gives each request a random name, 16 bytes in hexadecimal, unless it has one already. */
export const withRequestId =
  (random: Random) =>
  (next: Http): Http =>
  (request) =>
  () =>
    next({ ...request, headers: { "x-request-id": randomHex(random, 16), ...request.headers } })();
