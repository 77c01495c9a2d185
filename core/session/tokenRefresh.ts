import * as E from "fp-ts/lib/Either.js";
import { flow, pipe } from "fp-ts/lib/function.js";
import * as T from "fp-ts/lib/Task.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { firstValueFrom, merge, Subject, Subscription, timer } from "rxjs";
import { ageMs } from "../kernel/age.ts";
import { type Failure, isUnanswered, network, refused, unavailable } from "../kernel/failure.ts";
import { chainResult, deferTask, mapResult, onEnd, runTask, tapResult } from "../kernel/task.ts";
import type { Clock } from "../ports/clock.ts";
import type { Tabs } from "../ports/tabs.ts";
import { storedKeys } from "../storage/storedKeys.ts";
import type { SessionStore } from "./sessionStore.ts";

/**
 * The minimum time from the result of an attempt, which all tabs know at the same time, to the next attempt; callers in
 * between get that result.
 */
const cooldownMs = 10_000;
/** After this many failed attempts the next one fails with `attemptsUsedUp`. */
const maximumAttempts = 2;
/** The time for which another tab may hold the lock for its attempt. */
const waitForTabMs = 5_000;
/** The time to wait for another tab's result after its lock is released. */
const resultWithinMs = 250;

type Outcome = E.Either<Failure, void>;

/** The failure after too many failed attempts; the session cannot continue. */
export const attemptsUsedUp: Failure = unavailable("token refresh");

/** Refreshes the session's token; concurrent callers in all tabs share one attempt. */
export interface TokenRefresh {
  readonly run: TE.TaskEither<Failure, void>;
  /** Forgets the attempts of the last session. */
  readonly reset: () => void;
  readonly start: () => Subscription;
}

interface Deps {
  readonly sessionStore: SessionStore;
  readonly requestToken: TE.TaskEither<Failure, string>;
  readonly tabs: Pick<Tabs, "runExclusive" | "broadcast" | "messages">;
  readonly clock: Clock;
}

interface Attempt {
  readonly at: number;
  readonly outcome: Promise<Outcome>;
}

const done: Outcome = E.right(undefined);
const noAttempt: Attempt = { at: Number.NEGATIVE_INFINITY, outcome: Promise.resolve(done) };
/** The name of the lock, and of the channel on which tabs report failed attempts. */
const lockName = storedKeys.refreshLease.name;

/** Returns the status that is broadcast for a failure; 0 when no response came. */
const statusOf = (failure: Failure): number => (failure.kind === "refused" ? failure.status : 0);
const failureOf = (status: number): Failure => (status > 0 ? refused(status) : network("another tab"));

/** Creates the refresh; it listens to other tabs after `start()`. */
export const createTokenRefresh = ({ sessionStore, requestToken, tabs, clock }: Deps): TokenRefresh => {
  const remoteResults$ = new Subject<void>();
  let latest = noAttempt;
  let running: Promise<Outcome> | null = null;
  let failures = 0;

  const isRecent = (): boolean => ageMs(latest.at, clock.now()) < cooldownMs;
  /** Counts failures in a row; one without a response does not count. */
  const countFailure = (outcome: Outcome): void => {
    if (E.isRight(outcome)) failures = 0;
    else if (!isUnanswered(outcome.left)) failures += 1;
  };
  const recordRemoteResult = (outcome: Outcome): void => {
    countFailure(outcome);
    latest = { at: clock.now(), outcome: Promise.resolve(outcome) };
    remoteResults$.next();
  };
  const attempt = (owner: string | null): T.Task<Outcome> => {
    const store = (token: string): Outcome => {
      if (sessionStore.owner() !== owner) return E.left(unavailable("session"));
      return sessionStore.renewToken(token) ? done : E.left(unavailable("storage"));
    };
    return pipe(
      requestToken,
      mapResult(E.chain(store)),
      tapResult((outcome) => {
        countFailure(outcome);
        if (E.isLeft(outcome)) tabs.broadcast(lockName, String(statusOf(outcome.left)));
      }),
    );
  };
  const attemptInTurn =
    (owner: string | null, before: string | null, since: Attempt) =>
    (hadToWait: boolean): T.Task<Outcome> => {
      /** Returns the result of another tab's attempt, or null. */
      const remoteResult = (): T.Task<Outcome> | null => {
        if (sessionStore.token() !== before) return T.of(done);
        const { outcome } = latest;
        return latest === since ? null : () => outcome;
      };
      const result = remoteResult();
      if (result !== null || !hadToWait) return result ?? attempt(owner);
      return pipe(
        () => firstValueFrom(merge(remoteResults$, timer(resultWithinMs, clock.scheduler))),
        chainResult(() => remoteResult() ?? attempt(owner)),
      );
    };
  const begin: T.Task<Outcome> = () => {
    const attemptOrTakeOver = flow(
      attemptInTurn(sessionStore.owner(), sessionStore.token(), latest),
      runTask,
    );
    const run = pipe(
      () => tabs.runExclusive(lockName, { maxWaitMs: waitForTabMs }, attemptOrTakeOver),
      onEnd(() => {
        if (running !== outcome) return;
        running = null;
        latest = { at: clock.now(), outcome };
      }),
    );
    const outcome = run();
    running = outcome;
    return outcome;
  };
  return {
    run: deferTask(() => {
      const shared = running ?? (isRecent() ? latest.outcome : null);
      if (shared) return () => shared;
      return failures >= maximumAttempts ? TE.left(attemptsUsedUp) : begin;
    }),
    reset: () => {
      running = null;
      latest = noAttempt;
      failures = 0;
    },
    start: () => {
      const listening = new Subscription();
      listening.add(
        sessionStore.changedElsewhere$.subscribe(() => {
          if (sessionStore.token() !== null) recordRemoteResult(done);
        }),
      );
      listening.add(
        tabs.messages(lockName).subscribe((text) => recordRemoteResult(E.left(failureOf(Number(text))))),
      );
      return listening;
    },
  };
};
