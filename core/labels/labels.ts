import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import type { Subscription } from "rxjs";
import type { Call } from "../api/call.ts";
import { type Problem, problemOf } from "../api/errorMessages.ts";
import { Collection, type CollectionDeps, type Outdated } from "../kernel/collection.ts";
import type { State } from "../kernel/state.ts";
import { startTask } from "../kernel/task.ts";
import type { Clock } from "../ports/clock.ts";
import { createCache } from "../storage/cache.ts";
import type { Store } from "../storage/store.ts";
import { storedKeys } from "../storage/storedKeys.ts";
import {
  deleteLabel,
  type Label,
  type LabelChange,
  listLabels,
  patchLabel,
  postLabel,
} from "./labelEndpoints.ts";

/** The labels of the user's masks. */
export interface MaskLabels {
  /** By name; null while unknown. */
  readonly list$: State<readonly Label[] | null>;
  /** The time since which the list may be out of date; null while the server can be asked. */
  readonly outdated$: State<Outdated | null>;
  /** Loads the labels; succeeds also when the server cannot be reached and what is known stays. */
  readonly refresh: () => TE.TaskEither<Problem, void>;
  readonly create: (name: string) => TE.TaskEither<Problem, void>;
  /** Renames, merges or colors a label, on all masks that have it. */
  readonly edit: (name: string, change: LabelChange) => TE.TaskEither<Problem, void>;
  /** Removes a label from all masks, with a toast; the caller has asked for confirmation. */
  readonly remove: (name: string) => TE.TaskEither<Problem, void>;
}

export interface MaskLabelsDeps extends CollectionDeps {
  readonly call: Call;
  readonly clock: Clock;
  readonly store: Store;
  readonly masks: { readonly refresh: () => TE.TaskEither<Problem, void> };
  readonly refreshAccount: () => TE.TaskEither<Problem, void>;
}

const toProblem = problemOf({ page: "Failed to load the labels" });
const toCreateProblem = problemOf({ page: "Failed to create the label" });
const toEditProblem = problemOf({ page: "Failed to change the label" });
const toRemoveProblem = problemOf({ page: "Failed to delete the label" });

export const createMaskLabels = (
  deps: MaskLabelsDeps,
): MaskLabels & { readonly start: () => Subscription } => {
  const { call, store, clock, masks, refreshAccount } = deps;
  const labels = new Collection({
    ...deps,
    fetch: call(listLabels)({ params: {} }),
    items: "labels",
    toProblem,
    cache: createCache(store, clock, storedKeys.cachedLabels, listLabels.answer),
  });
  /** Loads all that shows labels beside the list: the masks, and the account with the colors. */
  const reloadOthers = (): void => {
    startTask(masks.refresh());
    startTask(refreshAccount());
  };
  return {
    list$: labels.list$,
    outdated$: labels.outdated$,
    refresh: labels.refresh,
    create: (name) => pipe(call(postLabel)({ body: { name } }), TE.bimap(toCreateProblem, labels.reload)),
    edit: (name, change) =>
      pipe(
        call(patchLabel)({ params: { name }, body: change }),
        TE.bimap(toEditProblem, () => {
          labels.reload();
          reloadOthers();
        }),
      ),
    remove: (name) =>
      pipe(
        labels.remove(
          name,
          toRemoveProblem,
          call(deleteLabel)({ params: { name } }),
          `Label ${name} deleted`,
        ),
        TE.map(reloadOthers),
      ),
    start: labels.start,
  };
};
