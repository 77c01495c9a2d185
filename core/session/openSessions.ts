import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { distinctUntilChanged, map, type Observable, type Subscription } from "rxjs";
import { type Failure, isRefused } from "../kernel/failure.ts";
import { makeState, type State } from "../kernel/state.ts";
import type { Call } from "../requests/call.ts";
import type { Fallbacks } from "../sentences/operations.ts";
import { type Problem, problemOf } from "../sentences/problem.ts";
import type { ShowToast } from "../toasts/toast.ts";
import * as endpoints from "./openSessionEndpoints.ts";

/** Where the user is signed in (D41). */
export interface OpenSessions {
  /** This device first, then the one used last; null until they have been read. */
  readonly list$: State<readonly endpoints.OpenSession[] | null>;
  readonly refresh: () => TE.TaskEither<Problem, void>;
  /** Ends one of another device; one that has ended already is no problem. */
  readonly end: (id: string) => TE.TaskEither<Problem, void>;
  /** Ends all but this device's. */
  readonly endOthers: () => TE.TaskEither<Problem, void>;
}

export interface OpenSessionsNeeds {
  readonly call: Call;
  readonly toast: ShowToast;
  /** Announces another user, or nobody. */
  readonly user$: Observable<{ readonly email: string } | null>;
}

const said = {
  list: { here: "Failed to get your sessions" },
  end: { here: "Failed to end the session" },
  endOthers: { here: "Failed to end the other sessions" },
} as const satisfies Readonly<Record<string, Fallbacks>>;

export const makeOpenSessions = ({
  call,
  toast,
  user$,
}: OpenSessionsNeeds): OpenSessions & { readonly start: () => Subscription } => {
  const list$ = makeState<readonly endpoints.OpenSession[] | null>(null);
  let owner: string | null = null;

  /** What comes back for somebody who has left meanwhile is nobody's. */
  const ask =
    <A>(fallbacks: Fallbacks, task: TE.TaskEither<Failure, A>, then: (value: A) => void) =>
    (): ReturnType<TE.TaskEither<Problem, void>> => {
      const asking = owner;
      const follow = (value: A): void => {
        if (owner === asking) then(value);
      };
      return pipe(task, TE.map(follow), TE.mapLeft(problemOf(fallbacks)))();
    };
  const keep = (holds: (session: endpoints.OpenSession) => boolean): void =>
    list$.update((list) => list?.filter(holds) ?? null);

  return {
    list$,
    refresh: () => ask(said.list, call(endpoints.listSessions)(), ({ sessions }) => list$.set(sessions)),
    end: (id) =>
      ask(
        said.end,
        pipe(
          () => call(endpoints.endSession)({ params: { id } })(),
          TE.orElse((failure) => (isRefused(failure, 404) ? TE.right(undefined) : TE.left(failure))),
        ),
        () => {
          keep((session) => session.id !== id);
          toast("success", "Session ended");
        },
      ),
    endOthers: () =>
      ask(
        said.endOthers,
        () => call(endpoints.endOtherSessions)()(),
        () => {
          keep(({ current }) => current);
          toast("success", "All other sessions ended");
        },
      ),
    start: () =>
      user$
        .pipe(
          map((user) => user?.email ?? null),
          distinctUntilChanged(),
        )
        .subscribe((email) => {
          owner = email;
          list$.set(null);
        }),
  };
};
