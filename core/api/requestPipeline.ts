import * as E from "fp-ts/lib/Either.js";
import { identity, pipe } from "fp-ts/lib/function.js";
import type * as TE from "fp-ts/lib/TaskEither.js";
import type { Failure } from "../kernel/failure.ts";
import { deferTask, tapResult } from "../kernel/task.ts";
import type { Clock } from "../ports/clock.ts";
import type { Http, HttpRequest } from "../ports/http.ts";
import type { Random } from "../ports/random.ts";
import type { Reporter } from "../ports/reporter.ts";
import type { Telemetry } from "../ports/telemetry.ts";
import {
  withBaseAddress,
  withBearer,
  withClientId,
  withJson,
  withRequestId,
  withTimeout,
} from "./basicMiddleware.ts";
import { type CsrfTokens, withCsrf, withCsrfRepair } from "./csrf.ts";
import {
  type ShowToastOnce,
  tooManyRequests,
  withFailureToasts,
  withServerErrorReports,
} from "./failureNotices.ts";
import type { RequestDeduplication } from "./requestDeduplication.ts";
import { withMinimalRetry, withRetry } from "./retry.ts";
import { type RequestSession, withSessionRefresh } from "./sessionRefresh.ts";

/** Records a span for each request with its route, never with parameter values. The request id names the trace. */
const withTracing =
  (telemetry: Telemetry) =>
  (next: Http): Http =>
  (request) =>
    deferTask(() => {
      const route = request.route ?? "unknown";
      const end = telemetry.span(
        `${request.method} ${route}`,
        { "http.request.method": request.method, "http.route": route },
        request.headers["x-request-id"],
      );
      return pipe(
        next(request),
        tapResult((result) =>
          end(
            E.isRight(result)
              ? { "http.response.status_code": result.right.status }
              : { "error.type": result.left.kind },
          ),
        ),
      );
    });

/** The server's address and the request timeout. */
export interface Destination {
  readonly baseAddress: string;
  readonly timeoutMs: number;
  readonly clock: Clock;
}

/** The dependencies of the request pipeline's middleware. */
export interface PipelineOptions extends Destination {
  readonly session: RequestSession;
  readonly csrf: Pick<CsrfTokens, "fromCookie" | "stored"> & {
    readonly renew: TE.TaskEither<Failure, unknown>;
  };
  readonly random: Random;
  /** Names this run of the app to the server. */
  readonly clientId: string;
  readonly reporter: Reporter;
  /** Null when performance tracking is off. */
  readonly telemetry: Telemetry | null;
  readonly showToastOnce: ShowToastOnce;
  /** True while the page says that it is offline. */
  readonly isOfflineShown: () => boolean;
  readonly deduplication: RequestDeduplication;
  /** The routes that are retried with minimal headers. */
  readonly minimalRetryRoutes: readonly string[];
}

/** True if a toast announces a 429 here. One that is not repeated is a failure, which the caller of a silent request reports. */
const isAnnounced = ({ silent, unattended = false }: HttpRequest, isRepeated: boolean): boolean =>
  !unattended && (isRepeated || silent !== true);

/** Wraps the `http` port in the middleware of every request; a request passes them from the last to the first. */
export const createRequestPipeline = (wire: Http, options: PipelineOptions): Http =>
  pipe(
    wire,
    withBaseAddress(options.baseAddress),
    withTimeout(options.clock, options.timeoutMs),
    withMinimalRetry(options.minimalRetryRoutes),
    withServerErrorReports(options.reporter),
    withCsrf({ ...options.csrf, random: options.random, session: options.session.token }),
    withCsrfRepair(options.csrf.renew),
    withRetry({
      ...options,
      onTooManyRequests: (request, isRepeated) => {
        if (isAnnounced(request, isRepeated)) options.showToastOnce("warning", tooManyRequests);
      },
    }),
    withBearer(options.session.token),
    withSessionRefresh(options.session),
    withFailureToasts(options),
    options.telemetry === null ? identity : withTracing(options.telemetry),
    options.deduplication.middleware,
    // The middleware above repeats a request under the same request id.
    withRequestId(options.random),
    withClientId(options.clientId),
    withJson,
  );

/** Wraps the `http` port in base address, timeout, request id and JSON only, for requests such as the refresh of the session. */
export const createPlainPipeline = (
  wire: Http,
  random: Random,
  { baseAddress, timeoutMs, clock }: Destination,
): Http =>
  pipe(wire, withBaseAddress(baseAddress), withTimeout(clock, timeoutMs), withRequestId(random), withJson);
