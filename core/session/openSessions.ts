import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import type * as TE from "fp-ts/lib/TaskEither.js";
import type { Observable, Subscription } from "rxjs";
import type { Call } from "../api/call.ts";
import { type FallbackMessages, type Problem, problemOf } from "../api/errorMessages.ts";
import { type Failure, orGone } from "../kernel/failure.ts";
import { createOwner, followUser } from "../kernel/owner.ts";
import { createState, type State } from "../kernel/state.ts";
import { mapResult } from "../kernel/task.ts";
import type { ShowToast } from "../kernel/toast.ts";
import type { Store } from "../storage/store.ts";
import * as endpoints from "./openSessionEndpoints.ts";
import { readOwedLogout } from "./owedLogout.ts";

/** The user's sessions on all devices. */
export interface OpenSessions {
  /** This device's session first, then by last use; null until the list is loaded. */
  readonly list$: State<readonly endpoints.OpenSession[] | null>;
  /** The id of a session that was logged out in this browser while the server could not be told; null for none. */
  readonly loggedOutId$: State<string | null>;
  readonly refresh: () => TE.TaskEither<Problem, void>;
  /** Ends the session of another device; succeeds when it has already ended. */
  readonly end: (id: string) => TE.TaskEither<Problem, void>;
  /** Ends all sessions but this device's. */
  readonly endOthers: () => TE.TaskEither<Problem, void>;
}

export interface OpenSessionsDeps {
  readonly call: Call;
  readonly store: Store;
  readonly toast: ShowToast;
  readonly user$: Observable<{ readonly email: string } | null>;
}

const messages = {
  list: { page: "Failed to get your sessions" },
  end: { page: "Failed to end the session" },
  endOthers: { page: "Failed to end the other sessions" },
} as const satisfies Readonly<Record<string, FallbackMessages>>;

/** Creates the list; it is empty until `refresh` and is cleared when the user changes. */
export const createOpenSessions = ({
  call,
  store,
  toast,
  user$,
}: OpenSessionsDeps): OpenSessions & { readonly start: () => Subscription } => {
  const list$ = createState<readonly endpoints.OpenSession[] | null>(null);
  const loggedOutId$ = createState<string | null>(null);
  const readLoggedOutId = readOwedLogout(store);
  const owner = createOwner();

  /** Runs a request; ignores the response when the user has changed in the meantime. */
  const request = <A>(
    fallbacks: FallbackMessages,
    task: TE.TaskEither<Failure, A>,
    onSuccess: (value: A) => void,
  ): TE.TaskEither<Problem, void> =>
    pipe(
      task,
      owner.tap(E.match(() => {}, onSuccess)),
      mapResult(E.bimap(problemOf(fallbacks), () => undefined)),
    );
  const keepOnly = (isKept: (session: endpoints.OpenSession) => boolean): void =>
    list$.update((list) => list?.filter(isKept) ?? null);

  return {
    list$,
    loggedOutId$,
    refresh: () =>
      request(messages.list, call(endpoints.listSessions)(), ({ sessions }) => {
        loggedOutId$.set(readLoggedOutId());
        list$.set(sessions);
      }),
    end: (id) =>
      request(messages.end, orGone(call(endpoints.endSession)({ params: { id } })), () => {
        keepOnly((session) => session.id !== id);
        toast("success", "Session ended");
      }),
    endOthers: () =>
      request(messages.endOthers, call(endpoints.endOtherSessions)(), () => {
        keepOnly(({ current }) => current);
        toast("success", "All other sessions ended");
      }),
    start: () => followUser(owner, user$, () => list$.set(null)),
  };
};
