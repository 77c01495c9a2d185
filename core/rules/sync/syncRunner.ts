import { pipe } from "fp-ts/lib/function.js";
import type { Task } from "fp-ts/lib/Task.js";
import { onRejection, startTask, tapResult } from "../../kernel/task.ts";
import type { Tabs } from "../../ports/tabs.ts";
import {
  noSync,
  type SyncEffect,
  type SyncEvent,
  type SyncModel,
  type SyncReason,
  syncStep,
} from "./syncStep.ts";

/** Sends pending changes in rounds: only one tab sends at a time, and one mask after the other. */
export interface SyncRunner {
  readonly request: (reason: SyncReason) => void;
  readonly isBusy: () => boolean;
  readonly reason: () => SyncReason;
  /** Releases the lock immediately and ignores the result of a request under way. */
  readonly stop: () => void;
}

interface SyncRunnerDeps {
  readonly tabs: Pick<Tabs, "runExclusive">;
  /** Returns the masks to send; is called when this tab has the lock. */
  readonly getDue: (reason: SyncReason) => readonly string[];
  /** Sends one mask's rules; never rejects. */
  readonly push: (maskId: string) => Task<SyncEvent>;
  readonly onBegin: () => void;
  readonly onEnd: (round: SyncModel) => void;
}

const lockName = "rulesSync";

/** A tab that holds the lock longer than this is suspended or gone, because no request takes this long. */
const waitAtMostMs = 30_000;

export const createSyncRunner = ({ tabs, getDue, push, onBegin, onEnd }: SyncRunnerDeps): SyncRunner => {
  let model = noSync;
  let generation = 0;
  let release = (): void => undefined;

  const acquireLock = (): void => {
    const startedIn = generation;
    const work: Task<void> = () =>
      new Promise((resolve) => {
        release = resolve;
        if (generation === startedIn) dispatch({ kind: "turn", due: getDue(model.reason) });
        else resolve();
      });
    pipe(
      () => tabs.runExclusive(lockName, { maxWaitMs: waitAtMostMs }, work),
      onRejection(() => {
        if (generation === startedIn) dispatch({ kind: "turn", due: [] });
      }),
      startTask,
    );
  };
  const run = (effect: SyncEffect): void => {
    const startedIn = generation;
    if (effect.kind === "take-turn") {
      onBegin();
      acquireLock();
    } else if (effect.kind === "push")
      pipe(
        push(effect.maskId),
        tapResult((event) => {
          if (generation === startedIn) dispatch(event);
        }),
        startTask,
      );
    else if (effect.kind === "end-turn") release();
    else onEnd(effect.round);
  };
  const dispatch = (event: SyncEvent): void => {
    const step = syncStep(model, event);
    model = step.model;
    step.effects.forEach(run);
  };
  return {
    request: (reason) => dispatch({ kind: "wanted", reason }),
    isBusy: () => model.phase !== "idle",
    reason: () => model.reason,
    stop: () => {
      generation += 1;
      dispatch({ kind: "stopped" });
    },
  };
};
