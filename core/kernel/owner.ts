import { pipe } from "fp-ts/lib/function.js";
import type { Task } from "fp-ts/lib/Task.js";
import { distinctUntilChanged, map, type Observable, type Subscription } from "rxjs";
import { deferTask, tapResult } from "./task.ts";

/** The user whose data a feature holds: results that arrive after the user has changed are ignored. */
export interface Owner {
  /** The address of the signed-in user; null when nobody is signed in. */
  readonly current: () => string | null;
  readonly set: (email: string | null) => void;
  /** Returns a check whether the owner has not been set since. */
  readonly capture: () => () => boolean;
  /** Calls `effect` with the result of a task, unless the owner was set meanwhile. */
  readonly tap: <A>(effect: (result: A) => void) => (task: Task<A>) => Task<A>;
}

/** Creates an owner; nobody is signed in at first. */
export const createOwner = (): Owner => {
  let email: string | null = null;
  let generation = 0;
  const capture = (): (() => boolean) => {
    const captured = generation;
    return () => captured === generation;
  };
  return {
    current: () => email,
    set: (next) => {
      email = next;
      generation += 1;
    },
    capture,
    tap: (effect) => (task) =>
      deferTask(() => {
        const isCurrent = capture();
        return pipe(
          task,
          tapResult((result) => {
            if (isCurrent()) effect(result);
          }),
        );
      }),
  };
};

/** Emits the address of each new user, null for nobody; not when other facts of the same user change. */
export const emailsOf = (user$: Observable<{ readonly email: string } | null>): Observable<string | null> =>
  user$.pipe(
    map((user) => user?.email ?? null),
    distinctUntilChanged(),
  );

/** Sets the owner to each new user, and calls `reset` then. */
export const followUser = (
  owner: Owner,
  user$: Observable<{ readonly email: string } | null>,
  reset: () => void,
): Subscription =>
  emailsOf(user$).subscribe((email) => {
    owner.set(email);
    reset();
  });
