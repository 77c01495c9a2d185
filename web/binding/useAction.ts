import type { Either } from "fp-ts/lib/Either.js";
import type { Task } from "fp-ts/lib/Task.js";
import type { TaskEither } from "fp-ts/lib/TaskEither.js";
import { useCallback, useEffect, useRef, useState } from "react";
import type { Problem } from "../../core/sentences/problem.ts";

type Deed<Args extends readonly unknown[], A> = (...args: Args) => TaskEither<Problem, A>;

interface Outcomes<A> {
  readonly onSuccess?: (value: A) => void;
  readonly onProblem?: (problem: Problem) => void;
}

/** A use case as a form or a button meets it. */
export interface Action<Args extends readonly unknown[]> {
  readonly run: (...args: Args) => void;
  readonly isRunning: boolean;
  /**
   * Why the last run failed; null while one runs and after a success. A run that found the product busy never was:
   * what was so before it is so again, and the answer to the run before is still to come.
   */
  readonly problem: Problem | null;
  /** Forgets the problem, because the user has changed what it was about. */
  readonly forget: () => void;
}

interface Status {
  readonly isRunning: boolean;
  readonly problem: Problem | null;
  /** What to go back to when the run that has begun never was. */
  readonly before: Status | null;
}

const idle: Status = { isRunning: false, problem: null, before: null };

const begun = (before: Status): Status => ({ isRunning: true, problem: null, before });

const forgotten = (status: Status): Status => ({
  ...status,
  problem: null,
  before: status.before && forgotten(status.before),
});

/**
 * Binds a use case to a component. What comes back after the component is gone, or after a later run has
 * begun, is ignored here; what it changed is seen through the states of the app. A run that ends "busy" counts for
 * nothing: the run before it goes on, or what came of it stands.
 */
export const useAction = <Args extends readonly unknown[], A>(
  deed: Deed<Args, A>,
  outcomes: Outcomes<A> = {},
): Action<Args> => {
  const [status, setStatus] = useState(idle);
  const lastStarted = useRef(0);
  const latestRun = useRef(0);
  /** Answers that came while a later run was under way; they count if that one never was. */
  const overtaken = useRef(new Map<number, () => void>());
  const now = useRef({ deed, outcomes });
  useEffect(() => {
    now.current = { deed, outcomes };
  });
  useEffect(
    () => () => {
      latestRun.current = -1;
    },
    [],
  );
  const run = useCallback((...args: Args) => {
    const runBefore = latestRun.current;
    lastStarted.current += 1;
    const thisRun = lastStarted.current;
    latestRun.current = thisRun;
    setStatus(begun);
    const settle = (result: Either<Problem, A>): void => {
      if (thisRun !== latestRun.current) {
        overtaken.current.set(thisRun, () => settle(result));
        return;
      }
      if (result._tag === "Left" && result.left.failure.kind === "busy") {
        latestRun.current = runBefore;
        setStatus(({ before }) => before ?? idle);
        overtaken.current.get(runBefore)?.();
        return;
      }
      overtaken.current.clear();
      setStatus(result._tag === "Left" ? { ...idle, problem: result.left } : idle);
      if (result._tag === "Left") now.current.outcomes.onProblem?.(result.left);
      else now.current.outcomes.onSuccess?.(result.right);
    };
    void now.current
      .deed(...args)()
      .then(settle);
  }, []);
  const forget = useCallback(() => setStatus(forgotten), []);
  return { run, isRunning: status.isRunning, problem: status.problem, forget };
};

/** Binds a task that cannot fail: `isRunning` until it is over. */
export const useTask = (
  task: () => Task<void>,
): { readonly run: () => void; readonly isRunning: boolean } => {
  const [isRunning, setRunning] = useState(false);
  const mounted = useRef(true);
  useEffect(() => {
    mounted.current = true;
    return () => {
      mounted.current = false;
    };
  }, []);
  const run = useCallback(() => {
    setRunning(true);
    void task()().then(() => {
      if (mounted.current) setRunning(false);
    });
  }, [task]);
  return { run, isRunning };
};
