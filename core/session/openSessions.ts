import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import type { Subscription } from "rxjs";
import type { Call } from "../api/call.ts";
import { type Problem, problemOf } from "../api/errorMessages.ts";
import { Collection, type CollectionDeps } from "../kernel/collection.ts";
import { mapState, type State } from "../kernel/state.ts";
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

export interface OpenSessionsDeps extends CollectionDeps {
  readonly call: Call;
  readonly store: Store;
}

const toProblem = problemOf({ page: "Failed to get your sessions" });
const toEndProblem = problemOf({ page: "Failed to end the session" });
const toEndOthersProblem = problemOf({ page: "Failed to end the other sessions" });

export const createOpenSessions = (
  deps: OpenSessionsDeps,
): OpenSessions & { readonly start: () => Subscription } => {
  const { call, toast } = deps;
  const readLoggedOutId = readOwedLogout(deps.store);
  const sessions = new Collection({
    ...deps,
    fetch: call(endpoints.listSessions)(),
    items: "sessions",
    toProblem,
  });
  return {
    list$: sessions.list$,
    loggedOutId$: mapState(sessions.answer$, readLoggedOutId),
    refresh: sessions.refresh,
    end: (id) =>
      sessions.remove(id, toEndProblem, call(endpoints.endSession)({ params: { id } }), "Session ended"),
    endOthers: ({ apiTokens }) =>
      pipe(
        sessions.request(
          toEndOthersProblem,
          call(endpoints.endOtherSessions)({ params: apiTokens ? { apiTokens } : {} }),
          () => {
            sessions.updateList((list) => list.filter(({ current }) => current));
            toast(
              "success",
              apiTokens ? "All other sessions ended, all API tokens revoked" : "All other sessions ended",
            );
            sessions.reload();
          },
        ),
        TE.map(() => undefined),
      ),
    start: sessions.start,
  };
};
