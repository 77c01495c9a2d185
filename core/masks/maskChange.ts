import * as E from "fp-ts/lib/Either.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { busy, type Failure, isRefused } from "../kernel/failure.ts";
import type { Operation } from "../sentences/operations.ts";
import { type Problem, problemOf } from "../sentences/problem.ts";
import { sentenceFor } from "../sentences/sentenceFor.ts";
import type { ShowToast, ToastKind } from "../toasts/toast.ts";
import type { HeldMasks } from "./heldMasks.ts";
import type { MaskId } from "./mask.ts";

/** A toast to be. */
export interface Said {
  readonly kind: ToastKind;
  readonly text: string;
}

/** One change of the user's masks: what is sent, and what it means for those held. */
export interface MaskChange<A> {
  readonly operation: Operation;
  /** The mask it is about; a second change of it does nothing while the first is under way. */
  readonly id?: MaskId;
  readonly send: TE.TaskEither<Failure, A>;
  /** Shows the wanted result before the server has answered. */
  readonly expect?: () => void;
  /** Takes that back. */
  readonly revert?: () => void;
  readonly settle: (answer: A) => void;
  /** The one toast of a success (D17); where it depends on the answer, made of it. */
  readonly said: string | ((answer: A) => Said);
}

export interface ChangeNeeds {
  readonly held: HeldMasks;
  readonly toast: ShowToast;
  /** Reads the list again: it has turned out to be behind the times. */
  readonly reload: () => void;
}

export type MakeChange = <A>(change: MaskChange<A>) => TE.TaskEither<Problem, A>;

/** Runs changes: optimistic where one says so, with one toast each, and silent for a user who has left. */
export const makeChanger =
  ({ held, toast, reload }: ChangeNeeds): MakeChange =>
  <A>({ operation, id, send, expect, revert, settle, said }: MaskChange<A>): TE.TaskEither<Problem, A> =>
  () => {
    if (id !== undefined && held.pendingIds$.value.has(id)) return TE.left(problemOf(operation)(busy))();
    const began = held.now();
    const failed = (failure: Failure): void => {
      revert?.();
      toast("error", sentenceFor(operation, failure, "toast"));
      if (isRefused(failure, 404)) reload();
    };
    const succeeded = (answer: A): void => {
      settle(answer);
      const { kind, text }: Said = typeof said === "string" ? { kind: "success", text: said } : said(answer);
      toast(kind, text);
    };
    if (id !== undefined) held.begin(id);
    expect?.();
    return send().then((result) => {
      if (held.isSame(began)) {
        if (id !== undefined) held.end(id);
        E.match(failed, succeeded)(result);
      }
      return E.mapLeft(problemOf(operation))(result);
    });
  };
