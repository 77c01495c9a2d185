import type { Either } from "fp-ts/lib/Either.js";
import type { Failure } from "../kernel/failure.ts";

/** What became of a change that somebody waits for. */
export type Saved = Either<Failure, "saved" | "kept">;

/** Those who wait to hear what became of their change, by mask. */
export interface Savers {
  readonly wait: (maskId: string) => Promise<Saved>;
  readonly settle: (maskId: string, outcome: Saved) => void;
  readonly settleAll: (outcomeOf: (maskId: string) => Saved) => void;
}

export const makeSavers = (): Savers => {
  const waiting = new Map<string, ((outcome: Saved) => void)[]>();
  const settle = (maskId: string, outcome: Saved): void => {
    const tellers = waiting.get(maskId) ?? [];
    waiting.delete(maskId);
    for (const tell of tellers) tell(outcome);
  };
  return {
    wait: (maskId) =>
      new Promise((resolve) => {
        waiting.set(maskId, [...(waiting.get(maskId) ?? []), resolve]);
      }),
    settle,
    settleAll: (outcomeOf) => {
      for (const maskId of [...waiting.keys()]) settle(maskId, outcomeOf(maskId));
    },
  };
};
