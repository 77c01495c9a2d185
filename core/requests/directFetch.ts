import * as E from "fp-ts/lib/Either.js";
import type { Http } from "../ports/http.ts";

/** What a request cannot do without. Another origin may refuse the rest, and the browser calls that a network failure. */
const essential = ["accept", "authorization"];

/** Tries these routes once more, plainly, when no answer came (RQ7). */
export const withDirectFetch =
  (routes: readonly string[]) =>
  (next: Http): Http =>
  (request) =>
  () =>
    next(request)().then((outcome) => {
      const isCutOff = E.isLeft(outcome) && outcome.left.kind === "network";
      if (!isCutOff || request.method !== "GET" || !routes.includes(request.route ?? "")) return outcome;
      const headers = Object.fromEntries(
        Object.entries(request.headers).filter(([name]) => essential.includes(name)),
      );
      return next({ ...request, headers })();
    });
