import * as E from "fp-ts/lib/Either.js";
import type { Http } from "../ports/http.ts";
import type { Telemetry } from "../ports/telemetry.ts";

/** Tells how long each request took and how it ended (OB1): its route, never what is filled in. */
export const withTracing =
  (telemetry: Telemetry) =>
  (next: Http): Http =>
  (request) =>
  () => {
    const route = request.route ?? "unknown";
    const end = telemetry.span(`${request.method} ${route}`, {
      "http.request.method": request.method,
      "http.route": route,
    });
    return next(request)().then((result) => {
      end(
        E.isRight(result)
          ? { "http.response.status_code": result.right.status }
          : { "error.type": result.left.kind },
      );
      return result;
    });
  };
