import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import type { Http } from "../ports/http.ts";
import type { Reporter } from "../ports/reporter.ts";

/** Tells the operator of every answer from 500 up: the user is promised that (RQ10). */
export const withReports =
  (reporter: Reporter) =>
  (next: Http): Http =>
  (request) =>
    pipe(
      next(request),
      TE.tapIO(({ status }) => () => {
        if (status < 500) return;
        reporter.report(new Error(`${request.method} ${request.url} answered ${status}`), {
          requestId: request.headers["x-request-id"] ?? "",
        });
      }),
    );
