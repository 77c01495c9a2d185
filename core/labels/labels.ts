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
import { deleteLabel, Label, type LabelChange, listLabels, patchLabel, postLabel } from "./labelEndpoints.ts";

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

export interface MaskLabelsDeps {
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

const toListProblem = problemOf({ page: "Failed to load the labels" });
const toCreateProblem = problemOf({ page: "Failed to make the label" });
const toEditProblem = problemOf({ page: "Failed to change the label" });
const toRemoveProblem = problemOf({ page: "Failed to delete the label" });

export const createMaskLabels = ({
  call,
  clock,
  store,
  online$,
  toast,
  user$,
  updates$,
  masks,
  refreshAccount,
}: MaskLabelsDeps): MaskLabels & { readonly start: () => Subscription } => {
  const resource = new SavedResource<readonly Label[] | null>({
    store,
    clock,
    online$,
    key: storedKeys.cachedLabels,
    codec: t.readonlyArray(Label),
    initial: null,
    fetch: pipe(
      call(listLabels)({ params: {} }),
      TE.map(({ labels }) => labels),
    ),
  });
  /** Loads all that shows labels: the list, the masks, and the account with the colors. */
  const reload = (): void => {
    startTask(resource.load);
    startTask(masks.refresh());
    startTask(refreshAccount());
  };
  return {
    list$: mapState(resource.state$, ({ value }) => value),
    outdated$: resource.outdated$,
    refresh: () => pipe(orStale(resource), TE.mapLeft(toListProblem)),
    create: (name) =>
      pipe(
        call(postLabel)({ body: { name } }),
        TE.bimap(toCreateProblem, () => startTask(resource.load)),
      ),
    edit: (name, change) =>
      pipe(call(patchLabel)({ params: { name }, body: change }), TE.bimap(toEditProblem, reload)),
    remove: (name) =>
      pipe(
        call(deleteLabel)({ params: { name } }),
        orGone,
        TE.bimap(toRemoveProblem, () => {
          toast("success", `Label ${name} deleted`);
          reload();
        }),
      ),
    start: () => {
      const running = resource.follow(user$);
      running.add(
        updates$
          .pipe(filter(({ resource: name }) => name === "masks" || name === "account"))
          .subscribe(() => {
            if (resource.known() !== null) resource.markOutdated();
          }),
      );
      return running;
    },
  };
};
