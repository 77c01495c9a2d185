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
  /** Why the last run failed; null while one runs and after a success. "Busy" is no problem: nothing was lost. */
  readonly problem: Problem | null;
  /** Forgets the problem, because the user has changed what it was about. */
  readonly forget: () => void;
}

interface Status {
  readonly isRunning: boolean;
  readonly problem: Problem | null;
}

const idle: Status = { isRunning: false, problem: null };

/**
 * Binds a use case to a component. What comes back after the component is gone, or after a later run has
 * begun, is ignored here; what it changed is seen through the states of the app.
 */
export const useAction = <Args extends readonly unknown[], A>(
  deed: Deed<Args, A>,
  outcomes: Outcomes<A> = {},
): Action<Args> => {
  const [status, setStatus] = useState(idle);
  const latestRun = useRef(0);
  const now = useRef({ deed, outcomes });
  useEffect(() => {
    now.current = { deed, outcomes };
  });
  useEffect(
    () => () => {
      latestRun.current += 1;
    },
    [],
  );
  const run = useCallback((...args: Args) => {
    latestRun.current += 1;
    const thisRun = latestRun.current;
    setStatus({ isRunning: true, problem: null });
    void now.current
      .deed(...args)()
      .then((result) => {
        if (thisRun !== latestRun.current) return;
        if (result._tag === "Right") {
          setStatus(idle);
          now.current.outcomes.onSuccess?.(result.right);
          return;
        }
        const problem = result.left;
        setStatus({ isRunning: false, problem: problem.failure.kind === "busy" ? null : problem });
        if (problem.failure.kind !== "busy") now.current.outcomes.onProblem?.(problem);
      });
  }, []);
  const forget = useCallback(() => setStatus((status) => ({ ...status, problem: null })), []);
  return { run, ...status, forget };
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

/** The sentence that belongs beside this field, if any. */
export const sentenceFor = (problem: Problem | null, field: string): string | undefined =>
  problem?.fields.find((error) => error.field === field)?.message;
