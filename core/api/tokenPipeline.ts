import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import type { Http } from "../ports/http.ts";
import {
  withBaseAddress,
  withBearer,
  withClientId,
  withJson,
  withRequestId,
  withTimeout,
} from "./basicMiddleware.ts";
import { withFailureToasts, withServerErrorReports } from "./failureNotices.ts";
import type { PipelineOptions } from "./requestPipeline.ts";
import { withMinimalRetry, withRetry } from "./retry.ts";

interface TokenPipelineOptions extends Omit<PipelineOptions, "session" | "csrf" | "telemetry"> {
  readonly token: () => string | null;
  /** Is called when the server refuses the token: it has ended, or was revoked. */
  readonly onRefused: () => void;
}

const withEnd =
  (onRefused: () => void) =>
  (next: Http): Http =>
  (request) =>
    pipe(
      next(request),
      TE.tapIO((response) => () => {
        if (response.status === 401) onRefused();
      }),
    );

/**
 * Wraps the `http` port in the middleware of requests with an API token, which proves who is calling by itself: there is
 * no CSRF token, and nothing to refresh.
 */
export const createTokenPipeline = (wire: Http, options: TokenPipelineOptions): Http =>
  pipe(
    wire,
    withBaseAddress(options.baseAddress),
    withTimeout(options.clock, options.timeoutMs),
    withMinimalRetry(options.minimalRetryRoutes),
    withServerErrorReports(options.reporter),
    withRetry({ ...options, onTooManyRequests: () => {} }),
    withBearer(options.token),
    withEnd(options.onRefused),
    withFailureToasts(options),
    options.deduplication.middleware,
    withRequestId(options.random),
    withClientId(options.clientId),
    withJson,
  );
