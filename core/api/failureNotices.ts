import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { type Failure, isUnanswered, isUserNotified, type Refusal } from "../kernel/failure.ts";
import { mapResult } from "../kernel/task.ts";
import type { Http, HttpResponse } from "../ports/http.ts";
import type { Reporter } from "../ports/reporter.ts";
import { toRefusal } from "./errorResponse.ts";

export const connectionIssue = "Connection issue. Please try again later.";
export const tooManyRequests = "Too many requests. Please try again in a moment.";
/** The server's message for a session that it does not know. */
export const invalidSessionMessage = "Invalid or expired token";
export const sessionExpired = "Your session has expired. Please log in again.";

const serverSilent = "The server has a problem. Try again in a minute.";

/**
 * Returns the message for a 5xx response; a full stop at the end of the server's message is dropped. That the team has been
 * notified is said only where somebody was.
 */
export const serverError = ({ message, reported }: Pick<Refusal, "message" | "reported">): string => {
  if (message === undefined && !reported) return serverSilent;
  const sentence = `Server error: ${(message ?? "Server error").replace(/\.$/, "")}.`;
  return reported ? `${sentence} Our team has been notified.` : sentence;
};

/** Returns the text that the toasts below show for a failure; "" when they show none. */
export const failureNotice = (failure: Failure): string => {
  if (isUnanswered(failure)) return connectionIssue;
  if (failure.kind !== "refused") return "";
  if (failure.status >= 500) return serverError(failure);
  return failure.status === 429 ? tooManyRequests : "";
};

/** Shows a toast; returns false and shows nothing while a toast with the same text is visible. */
export type ShowToastOnce = (kind: "warning" | "error", message: string) => boolean;

interface FailureToastDeps {
  readonly showToastOnce: ShowToastOnce;
  readonly reporter: Reporter;
  /** True while the page says that it is offline, which a read then need not say again. */
  readonly isOfflineShown: () => boolean;
}

/** Shows a toast for missing responses and 5xx statuses; `userNotified` then prevents a second toast. */
export const withFailureToasts =
  ({ showToastOnce, reporter, isOfflineShown }: FailureToastDeps) =>
  (next: Http): Http =>
  (request) => {
    const { silent = [], method } = request;
    if (silent === true) return next(request);
    const onFailure = (failure: Failure): Failure => {
      if (isUserNotified(failure) || !isUnanswered(failure)) return failure;
      const isSaid = method === "GET" && isOfflineShown();
      if (!isSaid && showToastOnce("error", connectionIssue)) {
        const what = `${method} ${request.route ?? request.url}`;
        reporter.report(new Error(`${what} got no answer`), { failure: failure.kind });
      }
      return { ...failure, userNotified: true };
    };
    const onResponse = (response: HttpResponse): HttpResponse => {
      if (silent.includes(response.status)) return response;
      if (response.status >= 500) showToastOnce("error", serverError(toRefusal(response)));
      return response.status >= 500 || response.status === 429
        ? { ...response, userNotified: true }
        : response;
    };
    return pipe(next(request), mapResult(E.bimap(onFailure, onResponse)));
  };

/** Reports every 5xx response to the operator, and says in the response whether somebody was told. */
export const withServerErrorReports =
  (reporter: Reporter) =>
  (next: Http): Http =>
  (request) =>
    pipe(
      next(request),
      TE.map((response): HttpResponse => {
        if (response.status < 500) return response;
        const what = `${request.method} ${request.route ?? request.url}`;
        reporter.report(new Error(`${what} answered ${response.status}`), {
          requestId: request.headers["x-request-id"] ?? "",
        });
        return reporter.isReceived ? { ...response, reported: true } : response;
      }),
    );
