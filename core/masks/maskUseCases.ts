import { pipe } from "fp-ts/lib/function.js";
import * as TE from "fp-ts/lib/TaskEither.js";
import { type Problem, problemOf } from "../api/errorMessages.ts";
import { busy, unavailable } from "../kernel/failure.ts";
import type { Submission } from "../kernel/submission.ts";
import { isActive, type Mask, type MaskId } from "./mask.ts";
import type { MaskChangeDeps, RunMaskChange, ToastContent } from "./maskChange.ts";
import { type MaskDraft, type MaskOrigin, toMaskEdit, toNewMask } from "./maskDraft.ts";
import type { MaskGateway } from "./maskGateway.ts";
import type { MaskStore } from "./maskStore.ts";

/** Success toasts of a creation, by the origin of the mask (MA8, D17). */
const createdMessages: Readonly<Record<MaskOrigin["kind"], string>> = {
  plain: "Mask created successfully",
  template: "Mask created with rule template successfully!",
  suggestion: "Mask created successfully from suggestion!",
};

interface CreateDeps {
  readonly gateway: MaskGateway;
  readonly submission: Submission;
  readonly runChange: RunMaskChange;
  readonly mayChoosePrefix: () => boolean;
  /** Is called with the mask that the server has created. */
  readonly onCreated: (mask: Mask) => void;
}

/** Creates a mask; an invalid draft fails without a request. */
export const createCreateMask =
  ({ gateway, submission, runChange, mayChoosePrefix, onCreated }: CreateDeps) =>
  (draft: MaskDraft, origin: MaskOrigin): TE.TaskEither<Problem, Mask> =>
    runChange({
      operation: "createMask",
      send: submission.run(
        pipe(TE.fromEither(toNewMask(draft, origin, mayChoosePrefix())), TE.chain(gateway.create)),
        busy,
        JSON.stringify([draft, origin]),
      ),
      settle: onCreated,
      successToast: createdMessages[origin.kind],
    });

interface EditDeps {
  readonly gateway: MaskGateway;
  readonly maskStore: MaskStore;
  readonly submission: Submission;
  readonly runChange: RunMaskChange;
  readonly mayChoosePrefix: () => boolean;
}

/** Changes a mask to match the draft; an invalid draft fails without a request. */
export const createEditMask =
  ({ gateway, maskStore, submission, runChange, mayChoosePrefix }: EditDeps) =>
  (id: MaskId, draft: MaskDraft): TE.TaskEither<Problem, Mask> =>
    runChange({
      operation: "editMask",
      id,
      send: submission.run(
        pipe(
          TE.fromEither(toMaskEdit(draft, maskStore.find(id), mayChoosePrefix())),
          TE.chain((edit) => gateway.edit(id, edit)),
        ),
        busy,
        JSON.stringify([id, draft]),
      ),
      settle: maskStore.put,
      successToast: "Mask updated successfully",
    });

interface ToggleDeps {
  readonly gateway: MaskGateway;
  readonly maskStore: MaskStore;
  readonly runChange: RunMaskChange;
  readonly toast: MaskChangeDeps["toast"];
}

/** Switches a mask on or off optimistically and reverts when the server refuses. */
export const createToggleMask = ({ gateway, maskStore, runChange, toast }: ToggleDeps) => {
  const show = (id: MaskId, active: boolean): void => {
    const mask = maskStore.find(id);
    if (mask && isActive(mask) !== active) maskStore.put({ ...mask, active });
  };
  /** Reports a mask that is not in the store (D17). */
  const reportUnknownMask = (): Problem => {
    const problem = problemOf("setMaskStatus")(unavailable("mask"));
    toast("error", problem.message);
    return problem;
  };
  return (id: MaskId, active: boolean): TE.TaskEither<Problem, void> =>
    () => {
      const before = maskStore.find(id);
      if (before === undefined) return TE.leftIO(reportUnknownMask)();
      return pipe(
        runChange<Mask>({
          operation: active ? "activateMask" : "deactivateMask",
          id,
          send: gateway.edit(id, { active }),
          showExpected: () => show(id, active),
          revert: () => show(id, isActive(before)),
          settle: maskStore.put,
          successToast: active ? "Mask activated successfully" : "Mask deactivated successfully",
        }),
        TE.map(() => undefined),
      )();
    };
};

const confirmationToast = ({ forwardTo, destinationStatus, confirmationSent }: Mask): ToastContent => {
  if (destinationStatus !== "awaiting-confirmation")
    return { kind: "success", text: `${forwardTo} is confirmed already` };
  return confirmationSent === false
    ? { kind: "info", text: "The last confirmation mail is too recent. Please try again later." }
    : { kind: "success", text: `Confirmation mail sent to ${forwardTo}` };
};

interface ResendDeps {
  readonly gateway: MaskGateway;
  readonly maskStore: MaskStore;
  readonly runChange: RunMaskChange;
}

/**
 * Requests another confirmation mail for the mask's forward-to address by sending that address once more
 * (D33).
 */
export const createAskAgain =
  ({ gateway, maskStore, runChange }: ResendDeps) =>
  ({ id, forwardTo }: Pick<Mask, "id" | "forwardTo">): TE.TaskEither<Problem, Mask> =>
    runChange({
      operation: "askAgain",
      id,
      send: gateway.edit(id, { forwardTo }),
      settle: maskStore.put,
      successToast: confirmationToast,
    });

interface RemoveDeps {
  readonly gateway: MaskGateway;
  readonly maskStore: MaskStore;
  readonly runChange: RunMaskChange;
}

/** Deletes a mask permanently; the caller has asked for confirmation. */
export const createRemoveMask =
  ({ gateway, maskStore, runChange }: RemoveDeps) =>
  (id: MaskId): TE.TaskEither<Problem, void> =>
    runChange({
      operation: "removeMask",
      id,
      send: gateway.remove(id),
      settle: () => maskStore.remove(id),
      successToast: "Mask deleted successfully",
    });
