import { left, right } from "fp-ts/lib/Either.js";
import { type Failure, network } from "../../core/kernel/failure.ts";
import type { Http, HttpRequest, HttpResponse } from "../../core/ports/http.ts";

const why = (error: unknown): Failure => network(error instanceof Error ? error.message : String(error));

const answerTo = async (
  { url, method, headers, body }: HttpRequest,
  signal: AbortSignal,
): Promise<HttpResponse> => {
  const response = await fetch(url, { method, headers, body: body ?? null, credentials: "include", signal });
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
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
