import { left, right } from "fp-ts/lib/Either.js";
import {
  EMPTY,
  firstValueFrom,
  from,
  map,
  merge,
  NEVER,
  type Observable,
  switchMap,
  take,
  timer,
} from "rxjs";
import { canceled, network } from "../../core/kernel/failure.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { Http, HttpMethod, HttpRequest, HttpResponse } from "../../core/ports/http.ts";

/** An answer of the server; "silent" never answers, "unreachable" is a network error. */
export type Answer =
  | "silent"
  | "unreachable"
  | {
      readonly status?: number;
      readonly json?: unknown;
      readonly text?: string;
      readonly headers?: Readonly<Record<string, string>>;
      readonly afterMs?: number;
    };

/** A request as the server saw it. */
export interface ReceivedRequest {
  readonly method: HttpMethod;
  readonly path: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** The path segments in place of the route's ":name"s. */
  readonly params: Readonly<Record<string, string>>;
}

export type Handler = (request: ReceivedRequest) => Answer | Promise<Answer>;

export interface FakeHttp {
  readonly http: Http;
  /** Answers this route from now on; a later script replaces an earlier one of the same route. */
  readonly on: (method: HttpMethod, path: string, answer: Answer | Handler) => void;
  readonly requests: readonly ReceivedRequest[];
  /** The requests to one route, such as "GET /masks". */
  readonly requestsTo: (call: string) => readonly ReceivedRequest[];
  /** Makes every request fail as without a network, until called with false. */
  readonly cutOff: (isCutOff: boolean) => void;
}

interface Route {
  readonly name: string;
  readonly method: HttpMethod;
  readonly pattern: RegExp;
  readonly handler: Handler;
}

/** The pattern of the paths of a route. */
export const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replace(/:([a-zA-Z]+)/g, "(?<$1>[^/]+)")}$`);

const decodedGroups = (match: RegExpExecArray | null): Record<string, string> =>
  Object.fromEntries(
    Object.entries(match?.groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)]),
  );

/** A small scripted server, which answers unknown routes with 404. */
export const createFakeHttp = (clock: Clock): FakeHttp => {
  const routes: Route[] = [];
  const requests: ReceivedRequest[] = [];
  let isCutOff = false;

  const receive = ({ method, url, headers, body }: HttpRequest): readonly [ReceivedRequest, Handler] => {
    const path = url.replace(/^https?:\/\/[^/]+/, "").split("?", 1)[0] ?? "";
    const route = routes.findLast((known) => known.method === method && known.pattern.test(path));
    const seen: ReceivedRequest = {
      method,
      path,
      url,
      headers,
      body: body === undefined ? undefined : JSON.parse(body),
      params: decodedGroups(route?.pattern.exec(path) ?? null),
    };
    requests.push(seen);
    return [seen, route?.handler ?? (() => ({ status: 404, json: { message: `Nothing at ${path}` } }))];
  };

  const toResponse = (answer: Answer): Observable<HttpResponse | null> => {
    if (answer === "silent") return NEVER;
    if (answer === "unreachable") return from([null]);
    const { status = 200, json, text, headers = {}, afterMs } = answer;
    const response: HttpResponse = {
      status,
      headers: { "content-type": "application/json", ...headers },
      body: text ?? (json === undefined ? "" : JSON.stringify(json)),
    };
    return afterMs === undefined
      ? from([response])
      : timer(afterMs, clock.scheduler).pipe(map(() => response));
  };

  return {
    requests,
    requestsTo: (call) => requests.filter(({ method, path }) => `${method} ${path}` === call),
    cutOff: (cut) => {
      isCutOff = cut;
    },
    on: (method, path, answer) => {
      const handler: Handler = typeof answer === "function" ? answer : () => answer;
      routes.push({ name: `${method} ${path}`, method, pattern: patternOf(path), handler });
    },
    http: (request) => () => {
      const [seen, handler] = receive(request);
      const answer = isCutOff ? Promise.resolve<Answer>("unreachable") : Promise.resolve(handler(seen));
      const answered$ = from(answer).pipe(
        switchMap(toResponse),
        map((response) => (response === null ? left(network("Failed to fetch")) : right(response))),
      );
      const aborted$ = (request.abort$ ?? EMPTY).pipe(map(() => left(canceled)));
      return firstValueFrom(merge(answered$, aborted$).pipe(take(1)));
    },
  };
};
