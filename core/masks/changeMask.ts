import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import type { Call } from "../api/call.ts";
import { errorMessage, type Operation, type Problem, problemOf } from "../api/errorMessages.ts";
import { busy, type Failure, isRefused } from "../kernel/failure.ts";
import { chainResult, deferTask, mapResult, startTask } from "../kernel/task.ts";
import type { ShowToast, ToastAction, ToastContent } from "../kernel/toast.ts";
import type { Mask, MaskEdit, MaskId } from "./mask.ts";
import { putMask } from "./maskEndpoints.ts";
import { type MaskResource, withNewerMask } from "./maskResource.ts";

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

/** An edit of one mask, which without a connection is kept and sent later. */
interface MaskFieldsChange extends Omit<MaskChange<Mask>, "send" | "settle" | "expect"> {
  readonly body: MaskEdit;
  /** Keeps a form from being sent twice; what it changes is shown when it is saved, all else at once. */
  readonly once?: (send: TE.TaskEither<Failure, Mask>) => TE.TaskEither<Failure, Mask>;
  /** The edit does not wait for another one of the same mask. */
  readonly isNow?: true;
}

/** Keeps an edit that cannot be sent now, or did not reach the server; undefined for one that can be sent. */
export type KeepEdit = (
  id: MaskId,
  body: MaskEdit,
  isLost?: boolean,
) => TE.TaskEither<Problem, Mask> | undefined;

/** Runs the use cases of masks: each has one toast, and none when the user has changed meanwhile. */
export interface MaskChanges {
  /** Sends a request; after one about a deleted mask, the list is loaded again. */
  readonly request: <A>(request: MaskRequest<A>) => TE.TaskEither<Problem, A>;
  /** Runs a change; a second change of the same mask fails as busy while the first is under way. */
  readonly change: <A>(change: MaskChange<A>) => TE.TaskEither<Problem, A>;
  readonly edit: (edit: MaskFieldsChange) => TE.TaskEither<Problem, Mask>;
}

export const createMaskChanges = (
  call: Call,
  masks: MaskResource,
  toast: ShowToast,
  keep: KeepEdit,
): MaskChanges => {
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
  const changeNow = <A>({ id, expect, settle, send, ...rest }: MaskChange<A>): TE.TaskEither<Problem, A> =>
    request({
      ...rest,
      send: masks.change({
        key: id,
        ...(expect && { expect }),
        send,
        settle: (list, answer) => settle(answer)(list),
      }),
    });
  const change: MaskChanges["change"] = (change) =>
    deferTask(() =>
      masks.pending$.value.has(change.id) ? TE.left(problemOf(change.operation)(busy)) : changeNow(change),
    );
  return {
    request,
    change,
    edit: ({ body, once, isNow, ...rest }) =>
      deferTask(() => {
        const { id } = rest;
        const send = call(putMask)({ params: { id }, body });
        const expect = (list: readonly Mask[]): readonly Mask[] =>
          list.map((mask) => (mask.id === id ? ({ ...mask, ...body } as Mask) : mask));
        return (
          keep(id, body) ??
          pipe(
            (isNow ? changeNow : change)({
              ...rest,
              ...(once ? { send: once(send) } : { send, expect }),
              settle: withNewerMask,
            }),
            chainResult(
              E.match(
                (problem) => (problem.failure.kind === "network" && keep(id, body, true)) || TE.left(problem),
                TE.right,
              ),
            ),
          )
        );
      }),
  };
};
