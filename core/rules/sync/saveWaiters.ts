import type { Either } from "fp-ts/lib/Either.js";
import type { Task } from "fp-ts/lib/Task.js";
import type { Failure } from "../../kernel/failure.ts";
import type { PendingRecord } from "./pendingRecord.ts";

/** `saved`: the server has the change. `kept`: the change is stored here and sent when there is a network. */
export type SaveOutcome = "saved" | "kept";

/** The result of a change that a caller waits for. */
export type SaveResult = Either<Failure, SaveOutcome>;

/** Takes a change out of the record that it was stored in. */
export type Withdraw = (record: PendingRecord) => PendingRecord | null;

/** The callers that wait for the result of their change, by mask. */
export interface SaveWaiters {
  /** Waits for the result of a change, which is taken back when the server refuses it and its form still has it. */
  readonly wait: (maskId: string, withdraw: Withdraw | null) => Task<SaveResult>;
  /** Returns the record without the changes that are taken back. */
  readonly withdrawAll: (maskId: string, record: PendingRecord) => PendingRecord | null;
  readonly isAwaited: (maskId: string) => boolean;
  readonly settle: (maskId: string, outcome: SaveResult) => void;
  readonly settleAll: (outcomeOf: (maskId: string) => SaveResult) => void;
}

interface Waiter {
  readonly tell: (outcome: SaveResult) => void;
  readonly withdraw: Withdraw | null;
}

export const createSaveWaiters = (): SaveWaiters => {
  const waiting = new Map<string, readonly Waiter[]>();
  const settle = (maskId: string, outcome: SaveResult): void => {
    const waiters = waiting.get(maskId) ?? [];
    waiting.delete(maskId);
    for (const { tell } of waiters) tell(outcome);
  };
  return {
    wait: (maskId, withdraw) => () =>
      new Promise((tell) => {
        waiting.set(maskId, [...(waiting.get(maskId) ?? []), { tell, withdraw }]);
      }),
    withdrawAll: (maskId, record) =>
      (waiting.get(maskId) ?? []).reduce<PendingRecord | null>(
        (rest, { withdraw }) => (rest === null || withdraw === null ? rest : withdraw(rest)),
        record,
      ),
    isAwaited: (maskId) => waiting.has(maskId),
    settle,
    settleAll: (outcomeOf) => {
      for (const maskId of [...waiting.keys()]) settle(maskId, outcomeOf(maskId));
    },
  };
};
