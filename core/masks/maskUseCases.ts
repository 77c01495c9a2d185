import * as E from "fp-ts/lib/Either.js";
import { pipe } from "fp-ts/lib/function.js";
import * as T from "fp-ts/lib/Task.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import type { Call } from "../api/call.ts";
import { type Problem, problemOf } from "../api/errorMessages.ts";
import { busy, unavailable } from "../kernel/failure.ts";
import type { SingleFlight } from "../kernel/singleFlight.ts";
import { deferTask, mapResult, startTask } from "../kernel/task.ts";
import type { ShowToast, ToastAction, ToastContent } from "../kernel/toast.ts";
import { createMaskChanges, type KeepEdit, type MaskChanges } from "./changeMask.ts";
import type { Mask, MaskId } from "./mask.ts";
import { type MaskDraft, type MaskOrigin, toMaskEdit, toNewMask } from "./maskDraft.ts";
import { deleteMask, postMask, putMask, restoreMask } from "./maskEndpoints.ts";
import { type MaskResource, withNewerMask, withoutMask } from "./maskResource.ts";

interface MaskUseCaseDeps {
  readonly call: Call;
  readonly masks: MaskResource;
  readonly singleFlight: SingleFlight;
  readonly toast: ShowToast;
  readonly mayChoosePrefix: () => boolean;
  readonly keep: KeepEdit;
  /** Returns a mask with the edits that wait, as the user sees it. */
  readonly findShown: (id: MaskId) => Mask | undefined;
  /** Is called with a deleted mask that the server has restored. */
  readonly onRestored: (mask: Mask) => void;
  /** Is called with a created mask, and begins to copy its address; the task ends with whether that was allowed. */
  readonly onCreated: (mask: Mask) => T.Task<boolean>;
}

/** Changes of the user's masks, with one toast each; there is none when the user has changed meanwhile. */
export interface MaskUseCases {
  /** Creates a mask; an invalid draft fails without a request. */
  readonly create: (draft: MaskDraft, origin: MaskOrigin) => TE.TaskEither<Problem, Mask>;
  /** Changes a mask to match the draft; an invalid draft fails without a request. */
  readonly edit: (id: MaskId, draft: MaskDraft) => TE.TaskEither<Problem, Mask>;
  /** Switches a mask on or off optimistically. */
  readonly setActive: (id: MaskId, active: boolean) => TE.TaskEither<Problem, void>;
  /** Puts a mask before the others, or back. */
  readonly setPinned: (id: MaskId, pinned: boolean) => TE.TaskEither<Problem, Mask>;
  /** Changes the description optimistically; the toast offers to undo it, or to try again. */
  readonly setDescription: (id: MaskId, description: string) => TE.TaskEither<Problem, Mask>;
  /** Requests another confirmation mail by sending the mask's forward-to address once more (D33). */
  readonly askAgain: (mask: Pick<Mask, "id" | "forwardTo">) => TE.TaskEither<Problem, Mask>;
  /** Deletes a mask; the caller has asked for confirmation. Its toast offers to restore the mask for 10 s. */
  readonly remove: (id: MaskId) => TE.TaskEither<Problem, void>;
}

/** Success toasts of a creation, by the origin of the mask (MA8, D17). */
const createdMessages: Readonly<Record<MaskOrigin["kind"], string>> = {
  plain: "Mask created successfully",
  random: "Mask created successfully",
  template: "Mask created with rule template successfully!",
  suggestion: "Mask created successfully from suggestion!",
};

const confirmationToast = ({ forwardTo, destinationStatus, confirmationSent }: Mask): ToastContent => {
  if (destinationStatus !== "awaiting-confirmation")
    return { kind: "success", text: `${forwardTo} is confirmed already` };
  return confirmationSent === false
    ? { kind: "info", text: "The last confirmation email is too recent. Try again later." }
    : { kind: "success", text: `Confirmation email sent to ${forwardTo}` };
};

/** Parts of the dependencies, as the functions of single use cases take them. */
type ChangeDeps = Pick<MaskUseCaseDeps, "call" | "masks"> & { readonly changes: MaskChanges };

/** Changes the description, and offers to undo that or to try again. */
const setDescription =
  ({ masks, changes }: Pick<ChangeDeps, "masks" | "changes">): MaskUseCases["setDescription"] =>
  (id, description) =>
    deferTask(() => {
      const before = masks.find(id)?.description;
      const again = (label: string, text: string): ToastAction => ({
        label,
        run: () => startTask(setDescription({ masks, changes })(id, text)),
      });
      // What was typed is not lost while the switch of the mask waits for its answer.
      return changes.edit({
        operation: "editMask",
        id,
        body: { description },
        isNow: true,
        successToast: () => ({
          kind: "success",
          text: "Description changed",
          ...(before?.trim() && { action: again("Undo", before) }),
        }),
        toastAction: again("Try again", description),
      });
    });

/** Deletes a mask, and offers to restore it. */
const remove =
  ({ call, masks, changes }: ChangeDeps, onRestored: (mask: Mask) => void): MaskUseCases["remove"] =>
  (id) => {
    const restore = changes.request({
      operation: "restoreMask",
      send: pipe(call(restoreMask)({ params: { id } }), masks.owner.tap(E.match(() => {}, onRestored))),
      successToast: "Mask restored",
    });
    return changes.change({
      operation: "removeMask",
      id,
      send: call(deleteMask)({ params: { id } }),
      settle: () => withoutMask(id),
      successToast: () => ({
        kind: "success",
        text: "Mask deleted successfully",
        action: { label: "Undo", run: () => startTask(restore) },
      }),
    });
  };

/** Returns the toast of a creation. The specification has its first sentence, and no other for a form. */
const createdToast =
  ({ kind }: MaskOrigin) =>
  ({ isCopied }: { readonly isCopied: boolean }): ToastContent => {
    const created = createdMessages[kind];
    if (kind !== "random") return { kind: "success", text: created };
    const next = isCopied ? "Its address is copied." : "Press its address to copy it.";
    return { kind: "success", text: `${created}. ${next}` };
  };

export const createMaskUseCases = (deps: MaskUseCaseDeps): MaskUseCases => {
  const { call, masks, singleFlight, toast, mayChoosePrefix } = deps;
  const changes = createMaskChanges(call, masks, toast, deps.keep);
  const { request, change } = changes;
  return {
    setDescription: setDescription({ masks, changes }),
    remove: remove({ call, masks, changes }, deps.onRestored),
    create: (draft, origin) => {
      let copying = T.of(false);
      const onCreated = (mask: Mask): void => {
        copying = deps.onCreated(mask);
      };
      const created = pipe(
        TE.fromEither(toNewMask(draft, origin, mayChoosePrefix())),
        TE.chain((body) => call(postMask)({ body })),
        masks.owner.tap(E.match(() => {}, onCreated)),
        // Only a toast that speaks of the copy waits for it.
        TE.chain((mask) => {
          const isCopied = origin.kind === "random" ? copying : T.of(false);
          return TE.fromTask(mapResult((copied: boolean) => ({ mask, isCopied: copied }))(isCopied));
        }),
      );
      return pipe(
        request({
          operation: "createMask",
          send: singleFlight.run(created, busy, JSON.stringify([draft, origin])),
          successToast: createdToast(origin),
        }),
        mapResult(E.map(({ mask }) => mask)),
      );
    },
    edit: (id, draft) =>
      deferTask(() =>
        pipe(
          toMaskEdit(draft, deps.findShown(id), mayChoosePrefix()),
          E.match(
            (failure) => TE.left(problemOf("editMask")(failure)),
            (body) =>
              changes.edit({
                operation: "editMask",
                id,
                body,
                once: (send) => singleFlight.run(send, busy, JSON.stringify([id, draft])),
                successToast: "Mask updated successfully",
              }),
          ),
        ),
      ),
    setActive: (id, active) =>
      deferTask(() => {
        const mask = masks.find(id);
        if (mask === undefined) {
          const problem = problemOf("setMaskStatus")(unavailable("mask"));
          toast("error", problem.message);
          return TE.left(problem);
        }
        return pipe(
          changes.edit({
            operation: active ? "activateMask" : "deactivateMask",
            id,
            body: { active },
            successToast: active ? "Mask activated successfully" : "Mask deactivated successfully",
          }),
          mapResult(E.map(() => undefined)),
        );
      }),
    setPinned: (id, pinned) =>
      changes.edit({
        operation: "editMask",
        id,
        body: { pinned },
        successToast: pinned ? "Mask pinned" : "Mask unpinned",
      }),
    askAgain: ({ id, forwardTo }) =>
      change({
        operation: "askAgain",
        id,
        send: call(putMask)({ params: { id }, body: { forwardTo } }),
        settle: withNewerMask,
        successToast: confirmationToast,
      }),
  };
};
