import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import {
  distinctUntilChanged,
  EMPTY,
  interval,
  map,
  merge,
  type Observable,
  of,
  skip,
  switchMap,
} from "rxjs";
import { endsSession } from "../api/sessionRefresh.ts";
import { ageMs } from "../kernel/age.ts";
import { hourMs } from "../kernel/durations.ts";
import { type Failure, isRefused } from "../kernel/failure.ts";
import type { State } from "../kernel/state.ts";
import { deferTask } from "../kernel/task.ts";
import type { Clock } from "../ports/clock.ts";
import type { SessionCalls } from "./sessionCalls.ts";
import { type SessionStore, sessionForMs } from "./sessionStore.ts";
import { attemptsUsedUp, type TokenRefresh } from "./tokenRefresh.ts";

/** A session that expires within this time is refreshed. */
const refreshWithinMs = hourMs;
/** A validation older than this is repeated. */
const validateAfterMs = 1_800_000;
/** At startup, a validation older than this is repeated. */
const skipValidationMs = 30_000;
/** The interval of the checks, which also run when the tab becomes visible or online. */
const checkIntervalMs = 60_000;

export type MaintenanceAction = "refresh" | "validate";

interface MaintenanceScheduleDeps {
  readonly sessionStore: SessionStore;
  readonly clock: Clock;
  readonly online$: State<boolean>;
  readonly visible$: State<boolean>;
  readonly isSignedIn$: Observable<boolean>;
}

const isValidationDueAtStart = (ageMs: number): boolean => ageMs >= skipValidationMs;
const isValidationDue = (ageMs: number): boolean => ageMs > validateAfterMs;

/** Emits what the session needs when it is due. A hidden or offline tab emits nothing. */
export const scheduleMaintenance = ({
  sessionStore,
  clock,
  online$,
  visible$,
  isSignedIn$,
}: MaintenanceScheduleDeps): Observable<MaintenanceAction> => {
  const dueActions = (isValidationDue: (ageMs: number) => boolean): readonly MaintenanceAction[] => {
    const now = clock.now();
    if (!online$.value || !visible$.value) return [];
    const leftMs = sessionStore.expiresAt() - now;
    // An end that is further away was noted before the clock was set back.
    const isUnlikely = leftMs > sessionForMs && Number.isFinite(leftMs);
    if (leftMs <= refreshWithinMs || isUnlikely) return ["refresh"];
    return isValidationDue(ageMs(sessionStore.validatedAt(), now)) ? ["validate"] : [];
  };
  const checks$ = merge(
    of(isValidationDueAtStart),
    merge(online$.pipe(skip(1)), visible$.pipe(skip(1)), interval(checkIntervalMs, clock.scheduler)).pipe(
      map(() => isValidationDue),
    ),
  );
  return isSignedIn$.pipe(
    distinctUntilChanged(),
    switchMap((isSignedIn) => (isSignedIn ? checks$ : EMPTY)),
    switchMap(dueActions),
  );
};

/** The requests that keep a session valid. */
export interface SessionMaintenance {
  /** Refreshes the token; after two failures in a row the next attempt ends the session. */
  readonly refresh: TE.TaskEither<Failure, void>;
  /** Validates the token at the server and refreshes it after a 401. */
  readonly validate: TE.TaskEither<Failure, void>;
}

interface SessionMaintenanceDeps {
  readonly sessionStore: SessionStore;
  readonly calls: SessionCalls;
  readonly refresh: TokenRefresh;
  /** Ends the session and notifies the user. */
  readonly expire: () => void;
}

/** Creates the requests; nothing is sent before they run. */
export const createSessionMaintenance = ({
  sessionStore,
  calls,
  refresh,
  expire,
}: SessionMaintenanceDeps): SessionMaintenance => {
  const expireIf = (isOver: boolean, owner: string | null): void => {
    if (isOver && owner !== null && sessionStore.owner() === owner) expire();
  };
  const refreshOrExpire: TE.TaskEither<Failure, void> = deferTask(() => {
    const owner = sessionStore.owner();
    return pipe(
      refresh.run,
      TE.orElseFirstIOK((failure) => () => expireIf(failure === attemptsUsedUp, owner)),
    );
  });
  /** Validates the token; ignores the response when the token has changed in the meantime. */
  const validateToken: TE.TaskEither<Failure, void> = deferTask(() => {
    const tokenSent = sessionStore.token();
    return pipe(
      calls.validate,
      TE.tapIO(() => () => {
        if (tokenSent !== null && sessionStore.token() === tokenSent) sessionStore.markValidated();
      }),
    );
  });
  const failUnlessRefreshed = (failure: Failure): TE.TaskEither<Failure, void> => {
    const owner = sessionStore.owner();
    return pipe(
      refresh.run,
      TE.mapLeft((refreshFailure) => {
        expireIf(endsSession(refreshFailure), owner);
        return failure;
      }),
    );
  };
  return {
    refresh: refreshOrExpire,
    validate: pipe(
      validateToken,
      TE.orElse((failure) =>
        isRefused(failure, 401) && sessionStore.token() !== null
          ? failUnlessRefreshed(failure)
          : TE.left(failure),
      ),
    ),
  };
};
