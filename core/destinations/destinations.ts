import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import * as t from "io-ts";
import { filter, type Observable, type Subscription } from "rxjs";
import type { Call } from "../api/call.ts";
import { type Problem, problemOf } from "../api/errorMessages.ts";
import { orGone } from "../kernel/failure.ts";
import { orStale } from "../kernel/resource.ts";
import { mapState, type State } from "../kernel/state.ts";
import { startTask } from "../kernel/task.ts";
import type { ShowToast } from "../kernel/toast.ts";
import type { Clock } from "../ports/clock.ts";
import type { DataUpdate } from "../realtime/messages.ts";
import type { User } from "../session/user.ts";
import { type Outdated, SavedResource } from "../storage/savedResource.ts";
import type { Store } from "../storage/store.ts";
import { storedKeys } from "../storage/storedKeys.ts";
import {
  type AddedDestination,
  Destination,
  type DestinationChange,
  type DestinationRemoval,
  deleteDestination,
  listDestinations,
  patchDestination,
  postDestination,
} from "./destinationEndpoints.ts";

/** The addresses that a user's mail may go to (D33). */
export interface Destinations {
  /** null while unknown. */
  readonly list$: State<readonly Destination[] | null>;
  /** The time since which the list may be out of date; null while the server can be asked. */
  readonly outdated$: State<Outdated | null>;
  /** Loads the destinations; succeeds also when the server cannot be reached and what is known stays. */
  readonly refresh: () => TE.TaskEither<Problem, void>;
  /** Sends the confirmation mail of an address again, with a toast. */
  readonly askAgain: (email: string) => TE.TaskEither<Problem, void>;
  /** Adds an address, which gets a mail with a link to confirm it; with a toast. */
  readonly add: (email: string) => TE.TaskEither<Problem, void>;
  /** Changes name, default or key of an address. */
  readonly edit: (id: string, change: DestinationChange) => TE.TaskEither<Problem, void>;
  /** Removes an address, after its masks have another one or are switched off; with a toast. */
  readonly remove: (destination: Destination, removal: DestinationRemoval) => TE.TaskEither<Problem, void>;
}

interface DestinationsDeps {
  readonly call: Call;
  readonly clock: Clock;
  readonly store: Store;
  readonly online$: State<boolean>;
  readonly toast: ShowToast;
  readonly user$: Observable<User | null>;
  readonly updates$: Observable<DataUpdate>;
  readonly masks: { readonly refresh: () => TE.TaskEither<Problem, void> };
  readonly refreshAccount: () => TE.TaskEither<Problem, void>;
}

const toProblem = problemOf({ page: "Failed to load your addresses" });
const toAskProblem = problemOf({ page: "Failed to send the confirmation mail" });

const toAddProblem = problemOf({ page: "Failed to add the address" });
const toEditProblem = problemOf({ page: "Failed to change the address" });
const toRemoveProblem = problemOf({ page: "Failed to remove the address" });

/** A confirmation is announced as a change of all masks, another name or default as one of the account. */
const mayConcernDestinations = ({ resource, resourceId }: DataUpdate): boolean =>
  resource === "rules" || resource === "account" || (resource === "masks" && resourceId === undefined);

export const createDestinations = ({
  call,
  clock,
  store,
  online$,
  toast,
  user$,
  updates$,
  masks,
  refreshAccount,
}: DestinationsDeps): Destinations & { readonly start: () => Subscription } => {
  const resource = new SavedResource<readonly Destination[] | null>({
    store,
    clock,
    online$,
    key: storedKeys.cachedDestinations,
    codec: t.readonlyArray(Destination),
    initial: null,
    fetch: pipe(
      call(listDestinations)({ params: {} }),
      TE.map(({ destinations }) => destinations),
    ),
  });
  const showConfirmation = (email: string, { status, confirmationSent }: AddedDestination): void => {
    if (status === "confirmed") toast("success", `${email} is confirmed already`);
    else if (confirmationSent) toast("success", `Confirmation mail sent to ${email}`);
    else toast("info", "The last confirmation mail is too recent. Please try again later.");
  };
  /** Shows a changed destination; a new default replaces the one before. */
  const put = (changed: Destination): void =>
    resource.put(
      (list) =>
        list?.map((one) => {
          if (one.id === changed.id) return changed;
          return changed.isDefault ? { ...one, isDefault: false } : one;
        }) ?? null,
    );
  return {
    list$: mapState(resource.state$, ({ value }) => value),
    outdated$: resource.outdated$,
    refresh: () => pipe(orStale(resource), TE.mapLeft(toProblem)),
    askAgain: (email) =>
      pipe(
        call(postDestination)({ body: { email } }),
        TE.mapLeft(toAskProblem),
        TE.tapIO((added) => () => {
          showConfirmation(email, added);
          startTask(resource.load);
        }),
        TE.map(() => undefined),
        TE.orElseFirstIOK(
          ({ message }) =>
            () =>
              toast("error", message),
        ),
      ),
    add: (email) =>
      pipe(
        call(postDestination)({ body: { email } }),
        TE.mapLeft(toAddProblem),
        TE.tapIO((added) => () => {
          showConfirmation(added.email, added);
          startTask(resource.load);
        }),
        TE.map(() => undefined),
      ),
    edit: (id, change) =>
      pipe(
        call(patchDestination)({ params: { id }, body: change }),
        TE.mapLeft(toEditProblem),
        TE.tapIO((changed) => () => {
          put(changed);
          if (change.isDefault) startTask(refreshAccount());
        }),
        TE.map(() => undefined),
      ),
    remove: ({ id, email }, removal) =>
      pipe(
        call(deleteDestination)({ params: { id }, body: removal }),
        orGone,
        TE.bimap(toRemoveProblem, () => {
          resource.put((list) => list?.filter((one) => one.id !== id) ?? null);
          toast("success", `${email} removed`);
          startTask(resource.load);
          startTask(masks.refresh());
        }),
      ),
    start: () => {
      const running = resource.follow(user$);
      running.add(updates$.pipe(filter(mayConcernDestinations)).subscribe(() => startTask(resource.load)));
      return running;
    },
  };
};
