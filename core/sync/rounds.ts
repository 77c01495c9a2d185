import type { Tabs } from "../ports/tabs.ts";
import {
  noSync,
  type SyncEffect,
  type SyncEvent,
  type SyncModel,
  type SyncReason,
  syncStep,
} from "./syncStep.ts";

/** Sends what is pending, round by round: one sender among all tabs, one mask after the other. */
export interface Rounds {
  readonly want: (reason: SyncReason) => void;
  readonly isBusy: () => boolean;
  readonly reason: () => SyncReason;
  /** Lets go at once; what is under way is no longer listened to. */
  readonly stop: () => void;
}

interface Needs {
  readonly tabs: Pick<Tabs, "exclusively">;
  /** What is to be sent, asked when it is our turn. */
  readonly due: (reason: SyncReason) => readonly string[];
  /** Sends one mask's rules; never rejects. */
  readonly push: (maskId: string) => Promise<SyncEvent>;
  readonly began: () => void;
  readonly ended: (round: SyncModel) => void;
}

const turnName = "rulesSync";

/** Longer than any request takes: a tab that holds its turn for this long is asleep or gone. */
const waitAtMostMs = 30_000;

export const makeRounds = ({ tabs, due, push, began, ended }: Needs): Rounds => {
  let model = noSync;
  let life = 0;
  let release = (): void => undefined;

  const takeTurn = (): void => {
    const ours = life;
    const work = (): Promise<void> =>
      new Promise((resolve) => {
        release = resolve;
        if (life === ours) dispatch({ kind: "turn", due: due(model.reason) });
        else resolve();
      });
    tabs
      .exclusively(turnName, { waitAtMostMs }, work)
      .catch(() => life === ours && dispatch({ kind: "turn", due: [] }));
  };
  const run = (effect: SyncEffect): void => {
    const ours = life;
    if (effect.kind === "take-turn") {
      began();
      takeTurn();
    } else if (effect.kind === "push")
      void push(effect.maskId).then((event) => life === ours && dispatch(event));
    else if (effect.kind === "end-turn") release();
    else ended(effect.round);
  };
  const dispatch = (event: SyncEvent): void => {
    const step = syncStep(model, event);
    model = step.model;
    step.effects.forEach(run);
  };
  return {
    want: (reason) => dispatch({ kind: "wanted", reason }),
    isBusy: () => model.phase !== "idle",
    reason: () => model.reason,
    stop: () => {
      life += 1;
      dispatch({ kind: "stopped" });
    },
  };
};
