import { pipe } from "fp-ts/lib/function.js";
import * as T from "fp-ts/lib/Task.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { getHealth } from "../api/configuration.ts";
import { type Failure, refused } from "../kernel/failure.ts";
import type { State } from "../kernel/state.ts";
import { deferTask } from "../kernel/task.ts";
import type { Clock } from "../ports/clock.ts";
import type { Connectivity } from "../ports/connectivity.ts";
import type { Http } from "../ports/http.ts";
import { normalClosure, policyViolation, silence, tryAgainLater } from "./closeCodes.ts";
import type { ConnectionState, HistoryEntry } from "./connection.ts";
import { inactiveAfterMs, maxAttempts } from "./connectionTiming.ts";

/** One connection event as text for the user; `at` in milliseconds since 1970. */
export interface DiagnosedEvent {
  readonly at: number;
  readonly text: string;
}

/** The result of a connection diagnosis (SH2). */
export interface Diagnosis {
  /** The time of the diagnosis, in milliseconds since 1970. */
  readonly at: number;
  /** The time that the server took to answer a plain HTTP request, in milliseconds; null when it did not answer. */
  readonly answeredAfterMs: number | null;
  /** The problem, as text for the user; null when there is none. */
  readonly error: string | null;
  /** The description of the last close code; null when no connection was closed yet. */
  readonly lastClose: string | null;
  /** The last 20, the newest first. */
  readonly events: readonly DiagnosedEvent[];
}

const descriptions: Readonly<Record<number, string>> = {
  [normalClosure]: "Normal closure",
  1001: "The server went away, or the page was left",
  1002: "Protocol error",
  1003: "The other side could not read this kind of data",
  1005: "Closed without a code",
  1006: "The connection broke off",
  1007: "A message was malformed",
  [policyViolation]: "Policy violation, likely an authentication failure",
  1009: "A message was too long",
  1010: "An extension was missing",
  1011: "Error in the server",
  1012: "The server restarted",
  [tryAgainLater]: "The server is busy, or too many pages are open",
  1014: "Error of a server in between",
  1015: "The encryption could not be agreed upon",
  [silence]: "The other side went silent",
};

/** Describes a close code for the user (RT11). */
export const describeCloseCode = (code: number): string => descriptions[code] ?? "Unknown reason";

const closeText = (code: number): string => `${describeCloseCode(code)} (code ${code})`;
const withDetail = (text: string, detail: string): string => (detail === "" ? text : `${text}: ${detail}`);

const eventText = (entry: HistoryEntry): string => {
  switch (entry.kind) {
    case "connecting":
      return entry.attempt === 0
        ? "Connecting"
        : `Connecting again, attempt ${entry.attempt} of ${maxAttempts}`;
    case "opened":
      return "Connected";
    case "closed":
      return withDetail(`Closed. ${closeText(entry.code)}`, entry.reason);
    case "timed-out":
      return "Not connected in time";
    case "no-reply":
      return "The server did not answer";
    case "no-token":
      return "The session was not valid for a connection";
    case "refused":
      return withDetail("The server did not accept the session", entry.error);
    case "server-error":
      return withDetail("The server reported a problem", entry.error);
    case "unanswered":
      return entry.error;
    case "inactive":
      return `Closed after ${inactiveAfterMs / 60_000} minutes without activity`;
    case "resumed":
      return "The device woke up or its network came back";
    case "gave-up":
      return `Stopped trying after ${maxAttempts} attempts`;
  }
};

const failureText = (failure: Failure): string => {
  switch (failure.kind) {
    case "timeout":
      return `The server did not answer within ${failure.afterMs / 1_000} s.`;
    case "refused":
      return `The server answered with status ${failure.status}.`;
    default:
      return "The server could not be reached.";
  }
};

interface DiagnosisDeps {
  /** Sends plain requests, without retries, toasts or tokens. */
  readonly plainHttp: Http;
  readonly clock: Clock;
  readonly connectivity: Connectivity;
  readonly connection: {
    readonly state$: State<ConnectionState>;
    readonly history$: State<readonly HistoryEntry[]>;
  };
}

/** Creates the diagnosis: it requests the server's health and describes the connection history. */
export const createDiagnose = (deps: DiagnosisDeps): T.Task<Diagnosis> => {
  const measureLatency: TE.TaskEither<Failure, number> = deferTask(() => {
    const startedAt = deps.clock.now();
    return pipe(
      deps.plainHttp({ method: getHealth.method, url: getHealth.path, headers: {} }),
      TE.chain(({ status }) =>
        status < 500 ? TE.right(deps.clock.now() - startedAt) : TE.left(refused(status)),
      ),
    );
  });
  const connectionError = (): string | null => {
    const { state$, history$ } = deps.connection;
    if (state$.value === "connected" || state$.value === "idle") return null;
    const { 0: last } = history$.value
      .filter(({ kind }) => kind !== "connecting" && kind !== "gave-up")
      .toReversed();
    return last === undefined ? "There is no live connection." : `${eventText(last)}.`;
  };
  const toDiagnosis = (answeredAfterMs: number | null, failure: string | null): Diagnosis => {
    const history = deps.connection.history$.value;
    const lastClose = history.findLast((entry) => entry.kind === "closed");
    return {
      at: deps.clock.now(),
      answeredAfterMs,
      error: (deps.connectivity.online$.value ? failure : "This device is offline.") ?? connectionError(),
      lastClose: lastClose === undefined ? null : closeText(lastClose.code),
      events: history.map((entry) => ({ at: entry.at, text: eventText(entry) })).toReversed(),
    };
  };
  return pipe(
    measureLatency,
    TE.matchE(
      (failure) => T.fromIO(() => toDiagnosis(null, failureText(failure))),
      (latencyMs) => T.fromIO(() => toDiagnosis(latencyMs, null)),
    ),
  );
};
