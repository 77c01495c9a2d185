import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { filter, type Observable, type Subscription } from "rxjs";
import type { Call } from "../api/call.ts";
import { type Problem, problemOf } from "../api/errorMessages.ts";
import { leftOutOf, type ReadableList, withoutEntry } from "../api/leftOut.ts";
import { leftOutText, readableList } from "../api/wireCodecs.ts";
import type { Failure } from "../kernel/failure.ts";
import { orStale } from "../kernel/resource.ts";
import { mapState, type State } from "../kernel/state.ts";
import { startTask } from "../kernel/task.ts";
import type { ShowToast } from "../kernel/toast.ts";
import type { MaskId } from "../masks/mask.ts";
import { restoreMask } from "../masks/maskEndpoints.ts";
import type { Clock } from "../ports/clock.ts";
import type { DataUpdate } from "../realtime/messages.ts";
import type { User } from "../session/user.ts";
import { type Outdated, SavedResource } from "../storage/savedResource.ts";
import type { Store } from "../storage/store.ts";
import { storedKeys } from "../storage/storedKeys.ts";
import { deleteTrashedMask, listTrash, TrashedMask } from "./trashEndpoints.ts";

/** The deleted masks as the dialog shows them. */
export interface TrashView {
  /** The last deleted first; null while unknown. */
  readonly masks: readonly TrashedMask[] | null;
  /** Says how many could not be shown; empty for none. */
  readonly leftOut: string;
}

/** The masks that were deleted in the last 30 days. */
export interface Trash {
  readonly view$: State<TrashView>;
  /** The time since which the list may be out of date; null while the server can be asked. */
  readonly outdated$: State<Outdated | null>;
  /** Loads the masks; succeeds also when the server cannot be reached and what is known stays. */
  readonly refresh: () => TE.TaskEither<Problem, void>;
  /** Brings a mask back with its rules and figures, with a toast. */
  readonly restore: (id: MaskId) => TE.TaskEither<Problem, void>;
  /** Deletes a mask for good, with a toast; the caller has asked for confirmation. */
  readonly remove: (id: MaskId) => TE.TaskEither<Problem, void>;
}

interface TrashDeps {
  readonly call: Call;
  readonly clock: Clock;
  readonly store: Store;
  readonly online$: State<boolean>;
  readonly toast: ShowToast;
  readonly user$: Observable<User | null>;
  readonly updates$: Observable<DataUpdate>;
  readonly masks: { readonly refresh: () => TE.TaskEither<Problem, void> };
}

const toListProblem = problemOf({ page: "Failed to load the deleted masks" });
const toRemoveProblem = problemOf({ page: "Failed to delete email mask" });
const toRestoreProblem = problemOf("restoreMask");

/** Creates the trash; it is empty until `refresh` and when nobody is signed in. */
export const createTrash = (deps: TrashDeps): Trash & { readonly start: () => Subscription } => {
  const { call, toast } = deps;
  const { store, clock, online$ } = deps;
  const resource = new SavedResource<ReadableList<TrashedMask> | null>({
    store,
    clock,
    online$,
    key: storedKeys.cachedTrash,
    codec: readableList(TrashedMask),
    initial: null,
    fetch: pipe(
      call(listTrash)({ params: {} }),
      TE.map(({ masks }) => masks),
    ),
  });
  /** Runs a decision about a mask, which is not in the trash afterwards. */
  const decide = (
    id: MaskId,
    request: TE.TaskEither<Failure, unknown>,
    toProblem: (failure: Failure) => Problem,
    done: string,
  ): TE.TaskEither<Problem, void> =>
    pipe(
      request,
      TE.bimap(toProblem, () => {
        resource.put((masks) => masks && withoutEntry(masks, id));
        toast("success", done);
      }),
    );
  return {
    view$: mapState(resource.state$, ({ value }) => ({
      masks: value,
      leftOut: leftOutText(leftOutOf(value ?? undefined).length, "mask"),
    })),
    outdated$: resource.outdated$,
    refresh: () => pipe(orStale(resource), TE.mapLeft(toListProblem)),
    restore: (id) =>
      pipe(
        decide(id, call(restoreMask)({ params: { id } }), toRestoreProblem, "Mask restored"),
        TE.tapIO(() => () => startTask(deps.masks.refresh())),
      ),
    remove: (id) =>
      decide(id, call(deleteTrashedMask)({ params: { id } }), toRemoveProblem, "Mask deleted for good"),
    start: () => {
      const running = resource.follow(deps.user$);
      running.add(
        deps.updates$
          .pipe(
            filter(
              ({ resource: changed, action }) =>
                changed === "masks" && action !== "updated" && resource.state$.value.value !== null,
            ),
          )
          .subscribe(() => startTask(resource.load)),
      );
      return running;
    },
  };
};
