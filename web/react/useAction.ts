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

const isBusy = (result: Either<Problem, unknown>): boolean =>
  result._tag === "Left" && result.left.failure.kind === "busy";

const report = <A>(result: Either<Problem, A>, { onSuccess, onProblem }: ActionCallbacks<A>): void => {
  if (result._tag === "Left") onProblem?.(result.left);
  else onSuccess?.(result.right);
};

/**
 * Binds a use case to a component. A result that arrives after the component is unmounted or after a later run has
 * started is ignored here; its effects are visible in the app's states. The core refuses a run as "busy" before it starts;
 * such a run does not count, and the one before it goes on.
 */
export const useAction = <Args extends readonly unknown[], A>(
  execute: UseCase<Args, A>,
  callbacks: ActionCallbacks<A> = {},
): Action<Args> => {
  const [isRunning, setRunning] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  /** The runs under way, the latest last; empty after unmounting. */
  const runs = useRef<readonly symbol[]>([]);
  const latest = useRef({ execute, callbacks });
  useEffect(() => {
    latest.current = { execute, callbacks };
  });
  useEffect(
    () => () => {
      runs.current = [];
    },
    [],
  );
  const run = useCallback((...args: Args) => {
    const thisRun = Symbol("run");
    runs.current = [...runs.current, thisRun];
    setRunning(true);
    const settle = (result: Either<Problem, A>): void => {
      if (!runs.current.includes(thisRun)) return;
      const counts = runs.current.at(-1) === thisRun && !isBusy(result);
      runs.current = counts ? [] : runs.current.filter((one) => one !== thisRun);
      setRunning(runs.current.length > 0);
      if (!counts) return;
      setProblem(result._tag === "Left" ? result.left : null);
      report(result, latest.current.callbacks);
    };
    void latest.current
      .execute(...args)()
      .then(settle);
  }, []);
  const clearProblem = useCallback(() => setProblem(null), []);
  return { run, isRunning, problem: isRunning ? null : problem, clearProblem };
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
