import type { Either } from "fp-ts/lib/Either.js";
import type { Task } from "fp-ts/lib/Task.js";
import type { Failure } from "../kernel/failure.ts";

/** `saved`: the server has the change. `kept`: the change is stored here and sent when there is a network. */
export type SaveOutcome = "saved" | "kept";

/** The result of a change that a caller waits for. */
export type SaveResult = Either<Failure, SaveOutcome>;

/** The callers that wait for the result of their change, by mask. */
export interface SaveWaiters {
  readonly wait: (maskId: string) => Task<SaveResult>;
  readonly isAwaited: (maskId: string) => boolean;
  readonly settle: (maskId: string, outcome: SaveResult) => void;
  readonly settleAll: (outcomeOf: (maskId: string) => SaveResult) => void;
}

export const createSaveWaiters = (): SaveWaiters => {
  const waiting = new Map<string, ((outcome: SaveResult) => void)[]>();
  const settle = (maskId: string, outcome: SaveResult): void => {
    const resolvers = waiting.get(maskId) ?? [];
    waiting.delete(maskId);
    for (const tell of resolvers) tell(outcome);
  };
  return {
    wait: (maskId) => () =>
      new Promise((resolve) => {
        waiting.set(maskId, [...(waiting.get(maskId) ?? []), resolve]);
      }),
    isAwaited: (maskId) => waiting.has(maskId),
    settle,
    settleAll: (outcomeOf) => {
      for (const maskId of [...waiting.keys()]) settle(maskId, outcomeOf(maskId));
    },
  };
};
