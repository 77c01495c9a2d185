import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { filter, type Observable, type Subscription } from "rxjs";
import type { Call } from "../api/call.ts";
import { type Problem, problemOf } from "../api/errorMessages.ts";
import { Collection, type CollectionDeps, type Outdated } from "../kernel/collection.ts";
import type { State } from "../kernel/state.ts";
import { startTask } from "../kernel/task.ts";
import type { Clock } from "../ports/clock.ts";
import type { DataUpdate } from "../realtime/messages.ts";
import { createCache } from "../storage/cache.ts";
import type { Store } from "../storage/store.ts";
import { storedKeys } from "../storage/storedKeys.ts";
import {
  type AddedDestination,
  type Destination,
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

interface DestinationsDeps extends CollectionDeps {
  readonly call: Call;
  readonly clock: Clock;
  readonly store: Store;
  readonly updates$: Observable<DataUpdate>;
  readonly masks: { readonly refresh: () => TE.TaskEither<Problem, void> };
  readonly refreshAccount: () => TE.TaskEither<Problem, void>;
}

const toProblem = problemOf({ page: "Failed to load your addresses" });
const toAskProblem = problemOf({ page: "Failed to send the confirmation email" });

const toAddProblem = problemOf({ page: "Failed to add the address" });
const toEditProblem = problemOf({ page: "Failed to change the address" });
const toRemoveProblem = problemOf({ page: "Failed to remove the address" });

/** A confirmation is announced as a change of all masks, another name or default as one of the account. */
const mayConcernDestinations = ({ resource, resourceId }: DataUpdate): boolean =>
  resource === "rules" || resource === "account" || (resource === "masks" && resourceId === undefined);

export const createDestinations = (
  deps: DestinationsDeps,
): Destinations & { readonly start: () => Subscription } => {
  const { call, clock, store, toast, masks, refreshAccount } = deps;
  const destinations = new Collection({
    ...deps,
    fetch: call(listDestinations)({ params: {} }),
    items: "destinations",
    toProblem,
    cache: createCache(store, clock, storedKeys.cachedDestinations, listDestinations.answer),
    changes$: deps.updates$.pipe(filter(mayConcernDestinations)),
  });
  const showConfirmation = (email: string, { status, confirmationSent }: AddedDestination): void => {
    if (status === "confirmed") toast("success", `${email} is confirmed already`);
    else if (confirmationSent) toast("success", `Confirmation email sent to ${email}`);
    else toast("info", "The last confirmation email is too recent. Try again later.");
  };
  /** Asks for a confirmation mail, and reads the list again, where the address has a row now. */
  const ask = (
    email: string,
    askProblem: typeof toProblem,
    shownAs: (added: AddedDestination) => string,
  ): TE.TaskEither<Problem, void> =>
    pipe(
      destinations.request(askProblem, call(postDestination)({ body: { email } }), (added) => {
        showConfirmation(shownAs(added), added);
        destinations.reload();
      }),
      TE.map(() => undefined),
    );
  return {
    list$: destinations.list$,
    outdated$: destinations.outdated$,
    refresh: destinations.refresh,
    askAgain: (email) =>
      pipe(
        ask(email, toAskProblem, () => email),
        TE.orElseFirstIOK(
          ({ message }) =>
            () =>
              toast("error", message),
        ),
      ),
    add: (email) => ask(email, toAddProblem, (added) => added.email),
    edit: (id, change) =>
      destinations.edit(
        toEditProblem,
        call(patchDestination)({ params: { id }, body: change }),
        (changed) => {
          // A new default replaces the one before.
          if (changed.isDefault)
            destinations.updateList((list) => list.map((one) => ({ ...one, isDefault: one.id === id })));
          if (change.isDefault) startTask(refreshAccount());
        },
      ),
    remove: ({ id, email }, removal) =>
      pipe(
        destinations.remove(
          id,
          toRemoveProblem,
          call(deleteDestination)({ params: { id }, body: removal }),
          `${email} removed`,
        ),
        TE.map(() => startTask(masks.refresh())),
      ),
    start: destinations.start,
  };
};
