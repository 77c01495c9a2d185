import type { Either } from "fp-ts/lib/Either.js";
import type { Task } from "fp-ts/lib/Task.js";
import type { TaskEither } from "fp-ts/lib/TaskEither.js";
import { useCallback, useContext, useEffect, useRef, useState } from "react";
import type { Problem } from "../../core/api/errorMessages.ts";
import { failureNotice } from "../../core/api/failureNotices.ts";
import { AppContext } from "./useApp.ts";

type UseCase<Args extends readonly unknown[], A> = (...args: Args) => TaskEither<Problem, A>;

interface ActionCallbacks<A> {
  readonly onSuccess?: (value: A) => void;
  readonly onProblem?: (problem: Problem) => void;
}

/** A use case bound to a form or a button. */
export interface Action<Args extends readonly unknown[]> {
  readonly run: (...args: Args) => void;
  readonly isRunning: boolean;
  /** The problem of the last run; null while one runs and after a success. A run that ends "busy" does not count. */
  readonly problem: Problem | null;
  /** Clears the problem, for example when the user edits the field. */
  readonly clearProblem: () => void;
}

interface Status {
  readonly isRunning: boolean;
  readonly problem: Problem | null;
  /** The status to restore when the current run ends "busy". */
  readonly previous: Status | null;
}

const idle: Status = { isRunning: false, problem: null, previous: null };

const startRun = (previous: Status): Status => ({ isRunning: true, problem: null, previous });

const withoutProblem = (status: Status): Status => ({
  ...status,
  problem: null,
  previous: status.previous && withoutProblem(status.previous),
});

/**
 * Binds a use case to a component. A result that arrives after the component is unmounted or after a later run has
 * started is ignored here; its effects are visible in the app's states. A run that ends "busy" does not count: the status
 * returns to that of the run before it.
 */
export const useAction = <Args extends readonly unknown[], A>(
  execute: UseCase<Args, A>,
  callbacks: ActionCallbacks<A> = {},
): Action<Args> => {
  const [status, setStatus] = useState(idle);
  const lastStarted = useRef(0);
  const latestRun = useRef(0);
  /** Results that arrived during a later run; they apply if the later run ends "busy". */
  const overtakenResults = useRef(new Map<number, () => void>());
  const latest = useRef({ execute, callbacks });
  useEffect(() => {
    latest.current = { execute, callbacks };
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
    setStatus(startRun);
    const settle = (result: Either<Problem, A>): void => {
      if (thisRun !== latestRun.current) {
        overtakenResults.current.set(thisRun, () => settle(result));
        return;
      }
      if (result._tag === "Left" && result.left.failure.kind === "busy") {
        latestRun.current = runBefore;
        setStatus(({ previous }) => previous ?? idle);
        overtakenResults.current.get(runBefore)?.();
        return;
      }
      overtakenResults.current.clear();
      setStatus(result._tag === "Left" ? { ...idle, problem: result.left } : idle);
      if (result._tag === "Left") latest.current.callbacks.onProblem?.(result.left);
      else latest.current.callbacks.onSuccess?.(result.right);
    };
    void latest.current
      .execute(...args)()
      .then(settle);
  }, []);
  const clearProblem = useCallback(() => setStatus(withoutProblem), []);
  return { run, isRunning: status.isRunning, problem: status.problem, clearProblem };
};

interface FormActionCallbacks<A> extends ActionCallbacks<A> {
  /** True if the form shows this problem; by default it shows all. */
  readonly isShown?: (problem: Problem) => boolean;
}

/**
 * Binds a use case to a form or panel that shows the problem itself: a toast with the same message is withdrawn, but not
 * the notice of a failure that concerns all requests (RQ7, RQ10). When the form is closed before the result arrives, the
 * toast stays.
 */
export const useFormAction = <Args extends readonly unknown[], A>(
  execute: UseCase<Args, A>,
  { isShown = () => true, ...callbacks }: FormActionCallbacks<A> = {},
): Action<Args> => {
  const toasts = useContext(AppContext)?.app.toasts;
  return useAction(execute, {
    ...callbacks,
    onProblem: (problem) => {
      const notice = failureNotice(problem.failure);
      const texts = [problem.message, problem.toast ?? ""].filter((text) => text !== notice);
      if (isShown(problem)) toasts?.withdraw(...texts);
      callbacks.onProblem?.(problem);
    },
  });
};

/** Binds a task that cannot fail; `isRunning` is true until it ends. */
export const useTask = (
  task: () => Task<unknown>,
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

/** Wraps a use case to add steps before and after it; the result is passed through. */
export type ActionWrapper = <A>(task: TaskEither<Problem, A>) => TaskEither<Problem, A>;

/** Adds no steps. */
export const passThrough: ActionWrapper = (task) => task;

/** The error message for this field, if any. */
export const fieldMessage = (problem: Problem | null, field: string): string | undefined =>
  problem?.fields.find((error) => error.field === field)?.message;
