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
import { type Identity, listIdentities, removeIdentity } from "./identityEndpoints.ts";

/** The identities at a provider that the user can log in with. */
export interface Identities {
  /** The oldest first; null until the list is loaded. */
  readonly list$: State<readonly Identity[] | null>;
  readonly refresh: () => TE.TaskEither<Problem, void>;
  /** Disconnects one; succeeds when it has been disconnected already. */
  readonly disconnect: (id: string) => TE.TaskEither<Problem, void>;
}

export interface IdentitiesDeps {
  readonly call: Call;
  readonly toast: ShowToast;
  readonly user$: Observable<{ readonly email: string } | null>;
}

const toListProblem = problemOf({ page: "Failed to get what you log in with" });
const toDisconnectProblem = problemOf({ page: "Failed to disconnect it" });

/** Creates the list; it is empty until `refresh` and is cleared when the user changes. */
export const createIdentities = ({
  call,
  toast,
  user$,
}: IdentitiesDeps): Identities & { readonly start: () => Subscription } => {
  const list$ = createState<readonly Identity[] | null>(null);
  const owner = createOwner();
  const request = createOwnedRequest(owner);
  return {
    list$,
    refresh: () =>
      pipe(
        request(toListProblem, call(listIdentities)(), ({ identities }) => list$.set(identities)),
        TE.map(() => undefined),
      ),
    disconnect: (id) =>
      request(toDisconnectProblem, orGone(call(removeIdentity)({ params: { id } })), () => {
        list$.update((list) => list?.filter((identity) => identity.id !== id) ?? null);
        toast("success", "Disconnected");
      }),
    start: () => followUser(owner, user$, () => list$.set(null)),
  };
};
