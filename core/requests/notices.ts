import * as E from "fp-ts/lib/Either.js";
import { type Failure, isTold, isUnanswered } from "../kernel/failure.ts";
import type { Http, HttpResponse } from "../ports/http.ts";
import type { Reporter } from "../ports/reporter.ts";
import { saidIn } from "./refusal.ts";

// What every request may have to say to the user, whoever made it (A8). What has been said is marked as told, so that
// the use case behind it says it beside its form at most, and not in a second toast.

export const connectionIssue = "Connection issue. Please try again later.";
export const tooManyRequests = "Too many requests. Please try again in a moment.";
export const sessionExpired = "Your session has expired. Please log in again.";

/** A 5xx as RQ10 words it; the server's full stop is not doubled. */
export const serverError = (message = "Server error"): string =>
  `Server error: ${message.replace(/\.$/, "")}. Our team has been notified.`;

/** Says a sentence in a toast; false when the very same one is still to be read there, so that a burst says it once. */
export type Tell = (kind: "warning" | "error", sentence: string) => boolean;

/** Tells of answers that did not come, and of servers that are broken (RQ7, RQ8, RQ10). */
export const withNotices =
  (tell: Tell, reporter: Reporter) =>
  (next: Http): Http =>
  (request) => {
    if (request.quiet) return next(request);
    const failed = (failure: Failure): Failure => {
      if (isTold(failure) || !isUnanswered(failure)) return failure;
      if (tell("error", connectionIssue)) {
        const what = `${request.method} ${request.route ?? request.url}`;
        reporter.report(new Error(`${what} got no answer`), { failure: failure.kind });
      }
      return { ...failure, told: true };
    };
    const answered = (response: HttpResponse): HttpResponse => {
      if (response.status >= 500) {
        const { message, error } = saidIn(response);
        tell("error", serverError(message || error || undefined));
      }
      return response.status >= 500 || response.status === 429 ? { ...response, told: true } : response;
    };
    return () => next(request)().then(E.bimap(failed, answered));
  };
