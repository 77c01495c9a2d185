import * as E from "fp-ts/lib/Either.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { firstValueFrom, merge, Subject, Subscription, timer } from "rxjs";
import { type Failure, isUnanswered, network, refused, unavailable } from "../kernel/failure.ts";
import type { Clock } from "../ports/clock.ts";
import type { Tabs } from "../ports/tabs.ts";
import { storedKeys } from "../storage/storedKeys.ts";
import type { SessionItems } from "./sessionItems.ts";

/** From one attempt to the next; whoever asks in between shares what the last one led to (SE5). */
const cooldownMs = 10_000;
/** After this many attempts without success the next one ends the session (SE5). */
const maximumAttempts = 2;
/** How long another tab may take for its attempt. */
const waitForTabMs = 5_000;
/** How much later than its turn the word of what another tab has got may arrive. */
const newsWithinMs = 250;

type Outcome = E.Either<Failure, void>;

/** The attempts are used up: the session cannot be kept (SE5). */
export const attemptsUsedUp: Failure = unavailable("token refresh");

/** Replaces the session's token, once for all who ask, in all tabs of the browser (SE5). */
export interface Refresh {
  readonly run: TE.TaskEither<Failure, void>;
  /** Another session: what the last one went through does not count. */
  readonly reset: () => void;
  readonly start: () => Subscription;
}

interface Needs {
  readonly items: SessionItems;
  /** Asks the server for a token (SE6). */
  readonly ask: TE.TaskEither<Failure, string>;
  readonly tabs: Pick<Tabs, "exclusively" | "broadcast" | "heard">;
  readonly clock: Clock;
}

interface Attempt {
  readonly at: number;
  readonly outcome: Promise<Outcome>;
}

const done: Outcome = E.right(undefined);
const never: Attempt = { at: Number.NEGATIVE_INFINITY, outcome: Promise.resolve(done) };
/** The lock, and the channel on which tabs say how their attempt failed. */
const name = storedKeys.refreshLease.name;

/** What is said of a failure: its status, 0 when nobody has answered. */
const statusOf = (failure: Failure): number => (failure.kind === "refused" ? failure.status : 0);
const failureOf = (status: number): Failure => (status > 0 ? refused(status) : network("another tab"));

export const makeRefresh = ({ items, ask, tabs, clock }: Needs): Refresh => {
  const news$ = new Subject<void>();
  let latest = never;
  let running: Promise<Outcome> | null = null;
  let failures = 0;

  const isRecent = (): boolean => clock.now() - latest.at < cooldownMs;
  /** A failure without an answer is none of the server's, and does not count. */
  const count = (outcome: Outcome): void => {
    if (E.isRight(outcome)) failures = 0;
    else if (!isUnanswered(outcome.left)) failures += 1;
  };
  const heard = (outcome: Outcome): void => {
    count(outcome);
    latest = { at: clock.now(), outcome: Promise.resolve(outcome) };
    news$.next();
  };
  const attempt = (owner: string | null): Promise<Outcome> => {
    const keep = (token: string): Outcome => {
      if (items.owner() !== owner) return E.left(unavailable("session"));
      return items.renew(token) ? done : E.left(unavailable("storage"));
    };
    return ask().then((answer) => {
      const outcome = E.chain(keep)(answer);
      count(outcome);
      if (E.isLeft(outcome)) tabs.broadcast(name, String(statusOf(outcome.left)));
      return outcome;
    });
  };
  const inTurn =
    (owner: string | null, before: string | null, since: Attempt) =>
    (hadToWait: boolean): Promise<Outcome> => {
      /** What another tab has got meanwhile. */
      const taken = (): Promise<Outcome> | null =>
        items.token() !== before ? Promise.resolve(done) : latest === since ? null : latest.outcome;
      const now = taken();
      if (now !== null || !hadToWait) return now ?? attempt(owner);
      const waited = firstValueFrom(merge(news$, timer(newsWithinMs, clock.scheduler)));
      return waited.then(() => taken() ?? attempt(owner));
    };
  const begin = (): Promise<Outcome> => {
    const at = clock.now();
    const turn = inTurn(items.owner(), items.token(), latest);
    const outcome: Promise<Outcome> = tabs
      .exclusively(name, { waitAtMostMs: waitForTabMs }, turn)
      .finally(() => {
        if (running !== outcome) return;
        running = null;
        latest = { at, outcome };
      });
    running = outcome;
    return outcome;
  };
  return {
    run: () => {
      if (running) return running;
      if (isRecent()) return latest.outcome;
      return failures >= maximumAttempts ? TE.left(attemptsUsedUp)() : begin();
    },
    reset: () => {
      running = null;
      latest = never;
      failures = 0;
    },
    start: () => {
      const listening = new Subscription();
      listening.add(
        items.changedElsewhere$.subscribe(() => {
          if (items.token() !== null) heard(done);
        }),
      );
      listening.add(tabs.heard(name).subscribe((text) => heard(E.left(failureOf(Number(text))))));
      return listening;
    },
  };
};
