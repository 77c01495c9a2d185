import { left, right } from "fp-ts/lib/Either.js";
import { cancelled, type Failure, network } from "../../core/kernel/failure.ts";
import type { Http, HttpRequest, HttpResponse } from "../../core/ports/http.ts";

/** Browsers give up in words of their own: an `AbortError`, or "cancelled" when the page is left. */
const why = (error: unknown): Failure => {
  const detail = error instanceof Error ? error.message : String(error);
  return /\b(abort|cancel)/i.test(detail) ? cancelled : network(detail);
};

/** By name; several of one name joined by a comma (RFC 9110, 5.3), also `set-cookie`, which only programs see. */
const byName = (headers: Headers): Readonly<Record<string, string>> => {
  const joined = new Map<string, string>();
  for (const [name, value] of headers) joined.set(name, [joined.get(name), value].filter(Boolean).join(", "));
  return Object.fromEntries(joined);
};

const answerTo = async (
  { url, method, headers, body }: HttpRequest,
  signal: AbortSignal,
): Promise<HttpResponse> => {
  const response = await fetch(url, { method, headers, body: body ?? null, credentials: "include", signal });
  return {
    status: response.status,
    headers: byName(response.headers),
    body: await response.text(),
  };
};

/** HTTP over `fetch`, cookies included. An abandoned request is aborted. */
export const fetchHttp: Http = (request) => () => {
  const abandonment = new AbortController();
  const watching = request.abandoned$?.subscribe(() => abandonment.abort());
  return answerTo(request, abandonment.signal)
    .then(right, (error: unknown) => left(why(error)))
    .finally(() => watching?.unsubscribe());
};
