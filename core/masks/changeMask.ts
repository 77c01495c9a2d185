import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { errorMessage, type Operation, type Problem, problemOf } from "../api/errorMessages.ts";
import { busy, type Failure, isRefused } from "../kernel/failure.ts";
import { deferTask, mapResult, startTask } from "../kernel/task.ts";
import type { ShowToast, ToastAction, ToastContent } from "../kernel/toast.ts";
import type { Mask, MaskId } from "./mask.ts";
import type { MaskResource } from "./maskResource.ts";

/** The request of a change, and the toast of its success (D17), as text or as a function of the answer. */
interface MaskRequest<A> {
  readonly operation: Operation;
  readonly send: TE.TaskEither<Failure, A>;
  readonly successToast: string | ((answer: A) => ToastContent);
  /** The action that the toast of a failure offers. */
  readonly toastAction?: ToastAction;
}

interface MaskChange<A> extends MaskRequest<A> {
  readonly id: MaskId;
  readonly expect?: (masks: readonly Mask[]) => readonly Mask[];
  readonly settle: (answer: A) => (masks: readonly Mask[]) => readonly Mask[];
}

/** Runs the use cases of masks: each has one toast, and none when the user has changed meanwhile. */
export interface MaskChanges {
  /** Sends a request; after one about a deleted mask, the list is loaded again. */
  readonly request: <A>(request: MaskRequest<A>) => TE.TaskEither<Problem, A>;
  /** Runs a change; a second change of the same mask fails as busy while the first is under way. */
  readonly change: <A>(change: MaskChange<A>) => TE.TaskEither<Problem, A>;
  /** Runs a change beside another one of the same mask. */
  readonly changeNow: <A>(change: MaskChange<A>) => TE.TaskEither<Problem, A>;
}

export const createMaskChanges = (masks: MaskResource, toast: ShowToast): MaskChanges => {
  const request: MaskChanges["request"] = <A>({
    operation,
    send,
    successToast,
    toastAction,
  }: MaskRequest<A>) => {
    const onFailure = (failure: Failure): void => {
      toast("error", errorMessage(operation, failure, "toast"), toastAction);
      if (isRefused(failure, 404)) startTask(masks.load);
    };
    const onSuccess = (answer: A): void => {
      const { kind, text, action }: ToastContent =
        typeof successToast === "string" ? { kind: "success", text: successToast } : successToast(answer);
      toast(kind, text, action);
    };
    return pipe(
      send,
      masks.owner.tap(E.match(onFailure, onSuccess)),
      mapResult(E.mapLeft(problemOf(operation))),
    );
  };
  const changeNow: MaskChanges["changeNow"] = ({ id, expect, settle, send, ...rest }) =>
    request({
      ...rest,
      send: masks.change({
        key: id,
        ...(expect && { expect }),
        send,
        settle: (list, answer) => settle(answer)(list),
      }),
    });
  return {
    request,
    changeNow,
    change: (change) =>
      deferTask(() =>
        masks.pending$.value.has(change.id) ? TE.left(problemOf(change.operation)(busy)) : changeNow(change),
      ),
  };
};
