import { identity, pipe } from "fp-ts/lib/function.js";
import type * as TE from "fp-ts/lib/TaskEither.js";
import type { Failure } from "../kernel/failure.ts";
import type { Clock } from "../ports/clock.ts";
import type { Http } from "../ports/http.ts";
import type { Random } from "../ports/random.ts";
import type { Reporter } from "../ports/reporter.ts";
import type { Telemetry } from "../ports/telemetry.ts";
import { type CsrfTokens, withCsrf, withCsrfRepair } from "./csrf.ts";
import { withDirectFetch } from "./directFetch.ts";
import { type SessionWatch, withFreshSession } from "./freshSession.ts";
import { withAddress, withBearer, withJson, withRequestId } from "./identity.ts";
import { type Tell, tooManyRequests, withNotices } from "./notices.ts";
import { withReports } from "./reports.ts";
import { withRetry } from "./retry.ts";
import type { Sharing } from "./sharing.ts";
import { withTimeout } from "./timeout.ts";
import { withTracing } from "./tracing.ts";

/** Where requests go and how long they are waited for. */
export interface Destination {
  readonly baseAddress: string;
  readonly timeoutMs: number;
  readonly clock: Clock;
}

export interface Wardrobe extends Destination {
  readonly session: SessionWatch;
  readonly csrf: Pick<CsrfTokens, "fromCookie" | "stored"> & {
    /** Gets a new anti-forgery token. */
    readonly renew: TE.TaskEither<Failure, unknown>;
  };
  readonly random: Random;
  readonly reporter: Reporter;
  /** Null where performance is not tracked (OB2). */
  readonly telemetry: Telemetry | null;
  readonly tell: Tell;
  readonly sharing: Sharing;
  /** The routes that are tried again plainly (RQ7). */
  readonly directRoutes: readonly string[];
}

/** What every request wears, from the wire outwards: a request meets these from the last to the first. */
export const dress = (wire: Http, wear: Wardrobe): Http =>
  pipe(
    wire,
    withAddress(wear.baseAddress),
    withTimeout(wear.clock, wear.timeoutMs),
    withDirectFetch(wear.directRoutes),
    withReports(wear.reporter),
    withCsrf({ ...wear.csrf, random: wear.random, session: wear.session.token }),
    withCsrfRepair(wear.csrf.renew),
    withRetry({ ...wear, tooMany: () => wear.tell("warning", tooManyRequests) }),
    withBearer(wear.session.token),
    withFreshSession(wear.session),
    withNotices(wear.tell, wear.reporter),
    wear.telemetry === null ? identity : withTracing(wear.telemetry),
    wear.sharing.wear,
    // From here on a repetition is the same request: it keeps its name.
    withRequestId(wear.random),
    withJson,
  );

/** What a request wears that must not wait for, or set off, anything else: the refresh of a session (SE6). */
export const dressPlainly = (wire: Http, { baseAddress, timeoutMs, clock }: Destination): Http =>
  pipe(wire, withAddress(baseAddress), withTimeout(clock, timeoutMs), withJson);
