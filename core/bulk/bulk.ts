import { pipe } from "fp-ts/lib/function.js";
import * as T from "fp-ts/lib/Task.js";
import type { TaskEither } from "fp-ts/lib/TaskEither.js";
import type { Call } from "../api/call.ts";
import type { Problem } from "../api/errorMessages.ts";
import { createState, type State } from "../kernel/state.ts";
import { chainResult, deferTask, mapResult, startTask } from "../kernel/task.ts";
import type { ShowToast } from "../kernel/toast.ts";
import type { Mask, MaskId } from "../masks/mask.ts";
import type { MaskPage } from "../masks/maskList.ts";
import { maskName } from "../masks/maskListSettings.ts";
import type { BulkChange, BulkResult } from "./bulkChange.ts";
import { sendBulkChanges } from "./sendBulkChanges.ts";
import { type BulkStep, undoSteps } from "./undoChange.ts";

/** A mask that could not be changed, and why. */
export interface BulkFailure {
  readonly id: MaskId;
  readonly name: string;
  readonly message: string;
}

export interface BulkView {
  readonly selected: ReadonlySet<MaskId>;
  /** The number of masks of the change under way that have a result; null while none is under way. */
  readonly progress: { readonly done: number; readonly total: number } | null;
  /** The masks that the last change could not change. */
  readonly failures: readonly BulkFailure[];
}

/** Changes of several selected masks at once. */
export interface Bulk {
  readonly view$: State<BulkView>;
  /** Selects a mask or takes it out; `isRange` does the same with all masks between it and the one before. */
  readonly toggle: (id: MaskId, isRange?: boolean) => void;
  /** Replaces the selection. */
  readonly select: (ids: readonly MaskId[]) => void;
  /**
   * Makes a change to the selected masks, in parts, with progress; a second one waits for none and does nothing. Its toast
   * offers to take it back. It goes on when the screen is left.
   */
  readonly run: (change: BulkChange) => T.Task<void>;
}

interface BulkDeps {
  readonly call: Call;
  readonly toast: ShowToast;
  readonly forgetPendingGets: () => void;
  readonly masks: {
    readonly page$: State<Pick<MaskPage, "found">>;
    readonly view$: State<{ readonly all: readonly Mask[] }>;
    readonly refresh: () => TaskEither<Problem, void>;
  };
}

const countMasks = (count: number): string => (count === 1 ? "1 mask" : `${count} masks`);

const doneText = (change: BulkChange): string => {
  switch (change.kind) {
    case "switch":
      return change.active ? "switched on" : "switched off";
    case "pin":
      return change.pinned ? "pinned" : "unpinned";
    case "label":
      return "labeled";
    case "move":
      return `moved to ${change.forwardTo}`;
    case "addRules":
      return "given the rules";
    case "removeRules":
      return "freed from the rules";
    case "delete":
      return "deleted";
    case "restore":
      return "restored";
    default:
      return change satisfies never;
  }
};

export const createBulk = ({ call, toast, forgetPendingGets, masks }: BulkDeps): Bulk => {
  const view$ = createState<BulkView>({ selected: new Set(), progress: null, failures: [] });
  let lastToggled: MaskId | null = null;

  const idsBetween = (one: MaskId | null, other: MaskId): readonly MaskId[] => {
    const ids = masks.page$.value.found.map(({ id }) => id);
    const from = ids.indexOf(one ?? other);
    const to = ids.indexOf(other);
    return from < 0 || to < 0 ? [other] : ids.slice(Math.min(from, to), Math.max(from, to) + 1);
  };

  /** Runs steps with progress, fetches the masks and hands on the ids that were changed. */
  const runSteps = (
    steps: readonly BulkStep[],
    onDone: (changed: ReadonlySet<MaskId>) => void,
  ): T.Task<void> =>
    deferTask(() => {
      const total = steps.reduce((sum, { ids }) => sum + ids.length, 0);
      if (view$.value.progress !== null || total === 0) return T.of(undefined);
      const names = new Map(masks.view$.value.all.map((mask) => [mask.id, maskName(mask)]));
      view$.update((view) => ({ ...view, progress: { done: 0, total }, failures: [] }));
      const onPart = (count: number): void =>
        view$.update((view) => ({
          ...view,
          progress: { done: (view.progress?.done ?? 0) + count, total },
        }));
      const finish = (results: readonly BulkResult[]): void => {
        const failed = results.filter(({ status }) => status !== 200);
        const changed = new Set(results.flatMap(({ id, status }) => (status === 200 ? [id] : [])));
        view$.update((view) => ({
          ...view,
          progress: null,
          failures: failed.map(({ id, message = "" }) => ({ id, name: names.get(id) ?? id, message })),
        }));
        onDone(changed);
        if (failed.length > 0)
          toast("warning", `${failed.length} of ${countMasks(total)} could not be changed`);
      };
      return pipe(
        sendBulkChanges(call, steps, onPart),
        chainResult((results) => {
          forgetPendingGets();
          return pipe(
            masks.refresh(),
            mapResult(() => finish(results)),
          );
        }),
      );
    });

  const undo = (steps: readonly BulkStep[]): void =>
    startTask(
      runSteps(steps, (changed) => {
        if (changed.size > 0) toast("success", `${countMasks(changed.size)} as before`);
      }),
    );
  return {
    view$,
    select: (ids) => {
      lastToggled = ids.at(-1) ?? null;
      view$.update((view) => ({ ...view, selected: new Set(ids) }));
    },
    toggle: (id, isRange = false) => {
      const selected = new Set(view$.value.selected);
      const isIn = isRange || !selected.has(id);
      for (const one of isRange ? idsBetween(lastToggled, id) : [id])
        if (isIn) selected.add(one);
        else selected.delete(one);
      lastToggled = id;
      view$.update((view) => ({ ...view, selected }));
    },
    run: (change) =>
      deferTask(() => {
        const before = masks.view$.value.all.filter(({ id }) => view$.value.selected.has(id));
        return runSteps([{ ids: before.map(({ id }) => id), change }], (changed) => {
          const kept = masks.view$.value.all.flatMap(({ id }) => (view$.value.selected.has(id) ? [id] : []));
          view$.update((view) => ({ ...view, selected: new Set(kept) }));
          if (changed.size === 0) return;
          const steps = undoSteps(
            before.filter(({ id }) => changed.has(id)),
            change,
          );
          toast(
            "success",
            `${countMasks(changed.size)} ${doneText(change)}`,
            steps.length === 0 ? undefined : { label: "Undo", run: () => undo(steps) },
          );
        });
      }),
  };
};
