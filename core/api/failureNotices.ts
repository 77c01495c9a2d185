import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import { type Failure, isUnanswered, isUserNotified } from "../kernel/failure.ts";
import { mapResult, tapResult } from "../kernel/task.ts";
import type { Http, HttpResponse } from "../ports/http.ts";
import type { Reporter } from "../ports/reporter.ts";
import { parseErrorBody } from "./errorResponse.ts";

export const connectionIssue = "Connection issue. Please try again later.";
export const tooManyRequests = "Too many requests. Please try again in a moment.";
export const sessionExpired = "Your session has expired. Please log in again.";

/** Returns the message for a 5xx response; a full stop at the end of the server's message is dropped. */
export const serverError = (message = "Server error"): string =>
  `Server error: ${message.replace(/\.$/, "")}. Our team has been notified.`;

/** Returns the text that the toasts below show for a failure; "" when they show none. */
export const failureNotice = (failure: Failure): string => {
  if (isUnanswered(failure)) return connectionIssue;
  if (failure.kind !== "refused") return "";
  if (failure.status >= 500) return serverError(failure.message);
  return failure.status === 429 ? tooManyRequests : "";
};

/** Shows a toast; returns false and shows nothing while a toast with the same text is visible. */
export type ShowToastOnce = (kind: "warning" | "error", message: string) => boolean;

/** Shows a toast for missing responses and 5xx statuses; `userNotified` then prevents a second toast. */
export const withFailureToasts =
  (showToastOnce: ShowToastOnce, reporter: Reporter) =>
  (next: Http): Http =>
  (request) => {
    const { silent = [] } = request;
    if (silent === true) return next(request);
    const onFailure = (failure: Failure): Failure => {
      if (isUserNotified(failure) || !isUnanswered(failure)) return failure;
      if (showToastOnce("error", connectionIssue)) {
        const what = `${request.method} ${request.route ?? request.url}`;
        reporter.report(new Error(`${what} got no answer`), { failure: failure.kind });
      }
      return { ...failure, userNotified: true };
    };
    const onResponse = (response: HttpResponse): HttpResponse => {
      if (silent.includes(response.status)) return response;
      if (response.status >= 500) {
        const { message, error } = parseErrorBody(response);
        showToastOnce("error", serverError(message || error || undefined));
      }
      return response.status >= 500 || response.status === 429
        ? { ...response, userNotified: true }
        : response;
    };
    return pipe(next(request), mapResult(E.bimap(onFailure, onResponse)));
  };

/** Reports every 5xx response to the operator, as the user's message promises. */
export const withServerErrorReports =
  (reporter: Reporter) =>
  (next: Http): Http =>
  (request) =>
    pipe(
      next(request),
      tapResult((outcome) => {
        if (E.isRight(outcome) && outcome.right.status >= 500) {
          const what = `${request.method} ${request.route ?? request.url}`;
          reporter.report(new Error(`${what} answered ${outcome.right.status}`), {
            requestId: request.headers["x-request-id"] ?? "",
          });
        }
      }),
    );
