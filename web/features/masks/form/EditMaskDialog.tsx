import { useCallback, useEffect, useRef, useState } from "react";
import type { Problem } from "../../../../core/api/errorMessages.ts";
import { actionToastForMs } from "../../../../core/kernel/toast.ts";
import type { Mask } from "../../../../core/masks/mask.ts";
import { toMaskDraft } from "../../../../core/masks/maskDraft.ts";
import { useFormAction } from "../../../react/useAction.ts";
import { useSignedIn } from "../../../react/useApp.ts";
import { Button } from "../../../ui/Button.tsx";
import { classes } from "../../../ui/classes.ts";
import { Banner } from "../../../ui/feedback/Banner.tsx";
import { Dialog } from "../../../ui/overlay/Dialog.tsx";
import { DiscardQuestion, restoredText, useDiscardQuestion } from "../../../ui/overlay/DiscardQuestion.tsx";
import { isMaskGone } from "../maskDialog.ts";
import styles from "./EditMaskDialog.module.css";
import { type EditGroup, EditMaskFields } from "./EditMaskFields.tsx";
import { useMaskDraft } from "./useMaskDraft.ts";

/** Presses within this time count as one, such as a double click or a held key. */
const cooldownMs = 500;

/** The state of a button that acts on the second press. */
export interface ConfirmPress {
  readonly isArmed: boolean;
  /** True while a press has no effect yet. */
  readonly isGuarded: boolean;
  readonly press: () => void;
}

/** Arms on the first press for `forMs` ms; calls the callback on a second press within that time, at least 500 ms after the first. */
const useConfirmPress = (forMs: number, onConfirm: () => void): ConfirmPress => {
  const [isArmed, setArmed] = useState(false);
  const [isGuarded, setGuarded] = useState(false);
  const cooldown = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(cooldown.current), []);
  useEffect(() => {
    if (!isArmed) return;
    const reset = setTimeout(() => setArmed(false), forMs);
    return () => clearTimeout(reset);
  }, [isArmed, forMs]);
  const press = useCallback(() => {
    const isReady = cooldown.current === undefined;
    clearTimeout(cooldown.current);
    cooldown.current = setTimeout(() => {
      cooldown.current = undefined;
      setGuarded(false);
    }, cooldownMs);
    setGuarded(true);
    if (!isReady) return;
    setArmed(!isArmed);
    if (isArmed) onConfirm();
  }, [isArmed, onConfirm]);
  return { isArmed, isGuarded: isArmed && isGuarded, press };
};

interface EditMaskDialogProps {
  readonly mask: Mask;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onRemoved: () => void;
  /** A group of fields that is open from the start. */
  readonly group?: EditGroup | undefined;
}

/** Milliseconds in which "Confirm Delete" accepts the second press (MA5). */
const confirmForMs = 3_000;

/** Edits a mask, or deletes it in two steps (MA5). */
export const EditMaskDialog = ({ mask, isOpen, onClose, onRemoved, group }: EditMaskDialogProps) => {
  const { masks } = useSignedIn();
  const draft = useMaskDraft(toMaskDraft(mask), `mask:${mask.id}`);
  const leave = (): void => {
    draft.forget();
    onClose();
  };
  const close = (): void => {
    leave();
    onRemoved();
  };
  /** Closes the dialog when the mask no longer exists; a toast has already said so. */
  const closeIfGone = (problem: Problem): void => {
    if (isMaskGone(problem)) close();
  };
  const onFailure = {
    onProblem: closeIfGone,
    isShown: (problem: Problem) => !isMaskGone(problem),
  };
  const save = useFormAction(masks.edit, { onSuccess: leave, ...onFailure });
  const remove = useFormAction(masks.remove, { onSuccess: close, ...onFailure });
  const discard = useDiscardQuestion(draft.isChanged, leave);
  const deletion = useConfirmPress(confirmForMs, () => remove.run(mask.id));
  const isPending = save.isRunning || remove.isRunning;

  return (
    <Dialog
      isOpen={isOpen}
      onClose={discard.requestClose}
      title="Edit Mask"
      onSubmit={() => save.run(mask.id, draft.values)}
      isPending={isPending}
      footer={
        discard.isConfirming ? (
          <DiscardQuestion onKeep={discard.cancel} onDiscard={leave} />
        ) : (
          <>
            <Button
              variant={deletion.isArmed ? "danger" : "quietDanger"}
              onPress={deletion.press}
              isDisabled={save.isRunning}
              isPending={remove.isRunning}
              className={classes(styles.delete, deletion.isGuarded && styles.guarded)}
            >
              {deletion.isArmed ? "Confirm Delete" : "Delete"}
            </Button>
            <Button onPress={discard.requestClose} isDisabled={isPending}>
              Cancel
            </Button>
            <Button
              type="submit"
              variant="primary"
              isDisabled={remove.isRunning}
              isPending={save.isRunning}
              pendingLabel="Saving…"
            >
              Save Changes
            </Button>
          </>
        )
      }
    >
      {draft.isRestored && <Banner>{restoredText}</Banner>}
      <EditMaskFields
        draft={draft}
        problem={save.problem ?? remove.problem}
        onEdit={save.clearProblem}
        mask={mask}
        group={group}
      />
      <span role="status" className="visually-hidden">
        {deletion.isArmed &&
          `Press Confirm Delete within ${confirmForMs / 1_000} seconds to delete this mask. You can undo this for ${actionToastForMs / 1_000} seconds.`}
      </span>
    </Dialog>
  );
};
