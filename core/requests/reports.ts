import * as E from "fp-ts/lib/Either.js";
import type { Http } from "../ports/http.ts";
import type { Reporter } from "../ports/reporter.ts";

/** Tells the operator of every answer from 500 up: the user is promised that (RQ10). */
export const withReports =
  (reporter: Reporter) =>
  (next: Http): Http =>
  (request) =>
  () =>
    next(request)().then((outcome) => {
      if (E.isRight(outcome) && outcome.right.status >= 500) {
        const what = `${request.method} ${request.route ?? request.url}`;
        reporter.report(new Error(`${what} answered ${outcome.right.status}`), {
          requestId: request.headers["x-request-id"] ?? "",
        });
      }
      return outcome;
    });
