import { pipe } from "fp-ts/lib/function.js";
import type { Clock } from "../ports/clock.ts";
import type { Http } from "../ports/http.ts";
import type { Random } from "../ports/random.ts";
import type { Reporter } from "../ports/reporter.ts";
import { type CsrfTokens, withCsrf } from "./csrf.ts";
import { type SessionWatch, withExpiry } from "./expiry.ts";
import { withAddress, withBearer, withJson, withRequestId } from "./identity.ts";
import { withReports } from "./reports.ts";
import { withTimeout } from "./timeout.ts";

export interface Wardrobe extends SessionWatch {
  readonly baseAddress: string;
  readonly timeoutMs: number;
  readonly csrf: Pick<CsrfTokens, "fromCookie" | "stored">;
  readonly clock: Clock;
  readonly random: Random;
  readonly reporter: Reporter;
}

/** What every request wears, from the wire outwards: a request meets these from the last to the first. */
export const dress = (wire: Http, wear: Wardrobe): Http =>
  pipe(
    wire,
    withAddress(wear.baseAddress),
    withTimeout(wear.clock, wear.timeoutMs),
    withExpiry(wear),
    withReports(wear.reporter),
    withCsrf({ ...wear.csrf, random: wear.random, session: wear.token }),
    withBearer(wear.token),
    withRequestId(wear.random),
    withJson,
  );
