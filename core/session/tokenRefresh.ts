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

/**
 * Refreshes the session's token; concurrent callers in all tabs share one attempt. Listens to other tabs after
 * `start()`.
 */
export class TokenRefresh {
  readonly run: TE.TaskEither<Failure, void>;
  readonly #deps: Deps;
  readonly #remoteResults$ = new Subject<void>();
  #latest = noAttempt;
  #running: Promise<Outcome> | null = null;
  #failures = 0;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.run = deferTask(() => {
      const shared = this.#running ?? (this.#isRecent() ? this.#latest.outcome : null);
      if (shared) return () => shared;
      return this.#failures >= maximumAttempts ? TE.left(attemptsUsedUp) : this.#begin;
    });
  }

  /** Forgets the attempts of the last session. */
  readonly reset = (): void => {
    this.#running = null;
    this.#latest = noAttempt;
    this.#failures = 0;
  };

  readonly start = (): Subscription => {
    const listening = new Subscription();
    listening.add(
      this.#deps.sessionStore.changedElsewhere$.subscribe(() => {
        if (this.#deps.sessionStore.token() !== null) this.#recordRemoteResult(done);
      }),
    );
    listening.add(
      this.#deps.tabs
        .messages(lockName)
        .subscribe((text) => this.#recordRemoteResult(E.left(failureOf(Number(text))))),
    );
    return listening;
  };

  #isRecent(): boolean {
    return ageMs(this.#latest.at, this.#deps.clock.now()) < cooldownMs;
  }

  /** Counts failures in a row; one without a response does not count. */
  #countFailure(outcome: Outcome): void {
    if (E.isRight(outcome)) this.#failures = 0;
    else if (!isUnanswered(outcome.left)) this.#failures += 1;
  }

  #recordRemoteResult(outcome: Outcome): void {
    this.#countFailure(outcome);
    this.#latest = { at: this.#deps.clock.now(), outcome: Promise.resolve(outcome) };
    this.#remoteResults$.next();
  }

  #attempt(owner: string | null): T.Task<Outcome> {
    const store = (token: string): Outcome => {
      if (this.#deps.sessionStore.owner() !== owner) return E.left(unavailable("session"));
      return this.#deps.sessionStore.renewToken(token) ? done : E.left(unavailable("storage"));
    };
    return pipe(
      this.#deps.requestToken,
      mapResult(E.chain(store)),
      tapResult((outcome) => {
        this.#countFailure(outcome);
        if (E.isLeft(outcome)) this.#deps.tabs.broadcast(lockName, String(statusOf(outcome.left)));
      }),
    );
  }

  #attemptInTurn(owner: string | null, before: string | null, since: Attempt) {
    return (hadToWait: boolean): T.Task<Outcome> => {
      /** Returns the result of another tab's attempt, or null. */
      const remoteResult = (): T.Task<Outcome> | null => {
        if (this.#deps.sessionStore.token() !== before) return T.of(done);
        const { outcome } = this.#latest;
        return this.#latest === since ? null : () => outcome;
      };
      const result = remoteResult();
      if (result !== null || !hadToWait) return result ?? this.#attempt(owner);
      return pipe(
        () => firstValueFrom(merge(this.#remoteResults$, timer(resultWithinMs, this.#deps.clock.scheduler))),
        chainResult(() => remoteResult() ?? this.#attempt(owner)),
      );
    };
  }

  readonly #begin: T.Task<Outcome> = () => {
    const attemptOrTakeOver = flow(
      this.#attemptInTurn(this.#deps.sessionStore.owner(), this.#deps.sessionStore.token(), this.#latest),
      runTask,
    );
    const run = pipe(
      () => this.#deps.tabs.runExclusive(lockName, { maxWaitMs: waitForTabMs }, attemptOrTakeOver),
      onEnd(() => {
        if (this.#running !== outcome) return;
        this.#running = null;
        this.#latest = { at: this.#deps.clock.now(), outcome };
      }),
    );
    const outcome = run();
    this.#running = outcome;
    return outcome;
  };
}
