import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import type { Observable, Subscription } from "rxjs";
import type { Call } from "../api/call.ts";
import { type Problem, problemOf } from "../api/errorMessages.ts";
import { orGone } from "../kernel/failure.ts";
import { createOwnedRequest } from "../kernel/ownedRequest.ts";
import { createOwner, followUser } from "../kernel/owner.ts";
import { createState, type State } from "../kernel/state.ts";
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
  /** Ends all sessions but this device's, and revokes all API tokens where the user wants that. */
  readonly endOthers: (also: { readonly apiTokens: boolean }) => TE.TaskEither<Problem, void>;
}

export interface OpenSessionsDeps {
  readonly call: Call;
  readonly store: Store;
  readonly toast: ShowToast;
  readonly user$: Observable<{ readonly email: string } | null>;
}

const toListProblem = problemOf({ page: "Failed to get your sessions" });
const toEndProblem = problemOf({ page: "Failed to end the session" });
const toEndOthersProblem = problemOf({ page: "Failed to end the other sessions" });

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

  const request = createOwnedRequest(owner);
  const keepOnly = (isKept: (session: endpoints.OpenSession) => boolean): void =>
    list$.update((list) => list?.filter(isKept) ?? null);

  return {
    list$,
    loggedOutId$,
    refresh: () =>
      pipe(
        request(toListProblem, call(endpoints.listSessions)(), ({ sessions }) => {
          loggedOutId$.set(readLoggedOutId());
          list$.set(sessions);
        }),
        TE.map(() => undefined),
      ),
    end: (id) =>
      request(toEndProblem, orGone(call(endpoints.endSession)({ params: { id } })), () => {
        keepOnly((session) => session.id !== id);
        toast("success", "Session ended");
      }),
    endOthers: ({ apiTokens }) =>
      pipe(
        request(
          toEndOthersProblem,
          call(endpoints.endOtherSessions)({ params: apiTokens ? { apiTokens } : {} }),
          () => {
            keepOnly(({ current }) => current);
            toast(
              "success",
              apiTokens ? "All other sessions ended, all API tokens revoked" : "All other sessions ended",
            );
          },
        ),
        TE.map(() => undefined),
      ),
    start: () => followUser(owner, user$, () => list$.set(null)),
  };
};
