import type { TaskEither } from "fp-ts/lib/TaskEither.js";
import type { Subscription } from "rxjs";
import type { Call } from "../api/call.ts";
import { type Problem, problemOf } from "../api/errorMessages.ts";
import { Collection, type CollectionDeps } from "../kernel/collection.ts";
import type { State } from "../kernel/state.ts";
import { type Identity, listIdentities, removeIdentity } from "./identityEndpoints.ts";

/** The identities at a provider that the user can log in with. */
export interface Identities {
  /** The oldest first; null until the list is loaded. */
  readonly list$: State<readonly Identity[] | null>;
  readonly refresh: () => TaskEither<Problem, void>;
  /** Disconnects one; succeeds when it has been disconnected already. */
  readonly disconnect: (id: string) => TaskEither<Problem, void>;
}

export interface IdentitiesDeps extends CollectionDeps {
  readonly call: Call;
}

const toProblem = problemOf({ page: "Failed to load the ways that you log in" });
const toDisconnectProblem = problemOf({ page: "Failed to disconnect the account" });

export const createIdentities = (
  deps: IdentitiesDeps,
): Identities & { readonly start: () => Subscription } => {
  const { call } = deps;
  const identities = new Collection({
    ...deps,
    fetch: call(listIdentities)(),
    items: "identities",
    toProblem,
  });
  return {
    list$: identities.list$,
    refresh: identities.refresh,
    disconnect: (id) =>
      identities.remove(id, toDisconnectProblem, call(removeIdentity)({ params: { id } }), "Disconnected"),
    start: identities.start,
  };
};
