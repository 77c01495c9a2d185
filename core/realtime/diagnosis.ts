import { pipe } from "fp-ts/lib/function.js";
import * as T from "fp-ts/lib/Task.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { getHealth } from "../contract/configuration.ts";
import { type Failure, refused } from "../kernel/failure.ts";
import type { Clock } from "../ports/clock.ts";
import type { Http } from "../ports/http.ts";
import { describeCloseCode } from "./closeCodes.ts";
import type { ConnectionState } from "./connection.ts";
import { inactiveAfterMs, maxAttempts } from "./connectionTimes.ts";
import type { HistoryEntry } from "./history.ts";

/** One event of the connection in plain words; `at` in milliseconds since 1970. */
export interface DiagnosedEvent {
  readonly at: number;
  readonly text: string;
}

/** What can be found out about the connection (SH2). */
export interface Diagnosis {
  /** When it was found out, in milliseconds since 1970. */
  readonly at: number;
  /** How long the server took to answer a plain request, in milliseconds; null when it did not. */
  readonly answeredAfterMs: number | null;
  /** What is wrong; null when nothing is. */
  readonly error: string | null;
  /** What the last close code means; null when nothing was closed yet. */
  readonly lastClose: string | null;
  /** The last 20, the newest first. */
  readonly events: readonly DiagnosedEvent[];
}

const closeText = (code: number): string => `${describeCloseCode(code)} (code ${code})`;
const withDetail = (text: string, detail: string): string => (detail === "" ? text : `${text}: ${detail}`);

const textOf = (entry: HistoryEntry): string => {
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
      return "The server gave no sign of life";
    case "no-token":
      return "Not signed in well enough to connect";
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

export interface DiagnosisNeeds {
  /** Speaks to the server without ado: nothing is repeated, nobody is told. */
  readonly http: Http;
  readonly clock: Clock;
  readonly isOnline: () => boolean;
  readonly state: () => ConnectionState;
  readonly history: () => readonly HistoryEntry[];
}

/** Asks the server for a sign of life, and puts into words what is known. */
export const makeDiagnose = (needs: DiagnosisNeeds): T.Task<Diagnosis> => {
  const asked: TE.TaskEither<Failure, number> = () => {
    const begun = needs.clock.now();
    return pipe(
      needs.http({ method: getHealth.method, url: getHealth.path, headers: {} }),
      TE.chain(({ status }) =>
        status < 500 ? TE.right(needs.clock.now() - begun) : TE.left(refused(status)),
      ),
    )();
  };
  const lineError = (): string | null => {
    if (needs.state() === "connected" || needs.state() === "idle") return null;
    const { 0: last } = needs
      .history()
      .filter(({ kind }) => kind !== "connecting" && kind !== "gave-up")
      .toReversed();
    return last === undefined ? "There is no live connection." : `${textOf(last)}.`;
  };
  const told = (answeredAfterMs: number | null, failure: string | null): Diagnosis => {
    const history = needs.history();
    const lastClose = history.findLast((entry) => entry.kind === "closed");
    return {
      at: needs.clock.now(),
      answeredAfterMs,
      error: (needs.isOnline() ? failure : "This device is offline.") ?? lineError(),
      lastClose: lastClose === undefined ? null : closeText(lastClose.code),
      events: history.map((entry) => ({ at: entry.at, text: textOf(entry) })).toReversed(),
    };
  };
  return pipe(
    asked,
    TE.matchE(
      (failure) => T.fromIO(() => told(null, failureText(failure))),
      (tookMs) => T.fromIO(() => told(tookMs, null)),
    ),
  );
};
