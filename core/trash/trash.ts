import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { filter, type Observable, type Subscription } from "rxjs";
import type { Call } from "../api/call.ts";
import { type Problem, problemOf } from "../api/errorMessages.ts";
import { leftOutOf, withoutEntry } from "../api/leftOut.ts";
import { leftOutText } from "../api/wireCodecs.ts";
import { Collection, type CollectionDeps, type Outdated } from "../kernel/collection.ts";
import type { Failure } from "../kernel/failure.ts";
import { mapState, type State } from "../kernel/state.ts";
import { startTask } from "../kernel/task.ts";
import type { MaskId } from "../masks/mask.ts";
import { restoreMask } from "../masks/maskEndpoints.ts";
import type { Clock } from "../ports/clock.ts";
import type { DataUpdate } from "../realtime/messages.ts";
import { createCache } from "../storage/cache.ts";
import type { Store } from "../storage/store.ts";
import { storedKeys } from "../storage/storedKeys.ts";
import { deleteTrashedMask, listTrash, type TrashedMask } from "./trashEndpoints.ts";

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

interface TrashDeps extends CollectionDeps {
  readonly call: Call;
  readonly clock: Clock;
  readonly store: Store;
  readonly updates$: Observable<DataUpdate>;
  readonly masks: { readonly refresh: () => TE.TaskEither<Problem, void> };
}

const toProblem = problemOf({ page: "Failed to load the deleted masks" });
const toRemoveProblem = problemOf({ page: "Failed to delete email mask" });
const toRestoreProblem = problemOf("restoreMask");

export const createTrash = (deps: TrashDeps): Trash & { readonly start: () => Subscription } => {
  const { call, store, clock, toast } = deps;
  const trash = new Collection({
    ...deps,
    fetch: call(listTrash)({ params: {} }),
    items: "masks",
    toProblem,
    cache: createCache(store, clock, storedKeys.cachedTrash, listTrash.answer),
    changes$: deps.updates$.pipe(
      filter(({ resource, action }) => resource === "masks" && action !== "updated"),
    ),
  });
  /** Runs a decision about a mask, which is not in the trash afterwards. */
  const decide = (
    id: MaskId,
    request: TE.TaskEither<Failure, unknown>,
    decisionProblem: typeof toProblem,
    done: string,
  ): TE.TaskEither<Problem, void> =>
    pipe(
      trash.request(decisionProblem, request, () => {
        trash.update((answer) => ({ ...answer, masks: withoutEntry(answer.masks, id) }));
        toast("success", done);
      }),
      TE.map(() => undefined),
    );
  return {
    view$: mapState(trash.list$, (masks) => ({
      masks,
      leftOut: leftOutText(leftOutOf(masks ?? undefined).length, "mask"),
    })),
    outdated$: trash.outdated$,
    refresh: trash.refresh,
    restore: (id) =>
      pipe(
        decide(id, call(restoreMask)({ params: { id } }), toRestoreProblem, "Mask restored"),
        TE.tapIO(() => () => startTask(deps.masks.refresh())),
      ),
    remove: (id) =>
      decide(id, call(deleteTrashedMask)({ params: { id } }), toRemoveProblem, "Mask deleted for good"),
    start: trash.start,
  };
};
