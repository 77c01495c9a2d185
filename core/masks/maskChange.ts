import * as E from "fp-ts/lib/Either.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { errorMessage, type Operation, type Problem, problemOf } from "../api/errorMessages.ts";
import { busy, type Failure, isRefused } from "../kernel/failure.ts";
import type { ShowToast, ToastKind } from "../kernel/toast.ts";
import type { MaskId } from "./mask.ts";
import type { MaskStore } from "./maskStore.ts";

/** The content of a toast. */
export interface ToastContent {
  readonly kind: ToastKind;
  readonly text: string;
}

/** One change of the user's masks: the request, and its effect on the mask store. */
export interface MaskChange<A> {
  readonly operation: Operation;
  /** The mask to change; a second change of it fails as busy while the first is under way. */
  readonly id?: MaskId;
  readonly send: TE.TaskEither<Failure, A>;
  /** Shows the expected result before the server has answered. */
  readonly showExpected?: () => void;
  /** Undoes the optimistic change. */
  readonly revert?: () => void;
  readonly settle: (answer: A) => void;
  /** The toast of a success (D17), as text or as a function of the answer. */
  readonly successToast: string | ((answer: A) => ToastContent);
}

export interface MaskChangeDeps {
  readonly maskStore: MaskStore;
  readonly toast: ShowToast;
  /** Fetches the list again after the server has answered 404 for a mask that it shows. */
  readonly refetchList: () => void;
}

export type RunMaskChange = <A>(change: MaskChange<A>) => TE.TaskEither<Problem, A>;

/**
 * Runs changes optimistically with one toast each; the result is ignored when the user has changed meanwhile.
 */
export const createMaskChanges =
  ({ maskStore, toast, refetchList }: MaskChangeDeps): RunMaskChange =>
  <A>({
    operation,
    id,
    send,
    showExpected,
    revert,
    settle,
    successToast,
  }: MaskChange<A>): TE.TaskEither<Problem, A> =>
  () => {
    if (id !== undefined && maskStore.pendingIds$.value.has(id)) return TE.left(problemOf(operation)(busy))();
    const revision = maskStore.takeRevision();
    const failed = (failure: Failure): void => {
      revert?.();
      toast("error", errorMessage(operation, failure, "toast"));
      if (isRefused(failure, 404)) refetchList();
    };
    const succeeded = (answer: A): void => {
      settle(answer);
      const { kind, text }: ToastContent =
        typeof successToast === "string" ? { kind: "success", text: successToast } : successToast(answer);
      toast(kind, text);
    };
    if (id !== undefined) maskStore.beginChange(id);
    showExpected?.();
    return send().then((result) => {
      if (maskStore.isSameOwner(revision)) {
        if (id !== undefined) maskStore.endChange(id);
        E.match(failed, succeeded)(result);
      }
      return E.mapLeft(problemOf(operation))(result);
    });
  };
