import { longestPrefix, type Mask } from "../../core/masks/mask.ts";
import type { Problem } from "../../core/sentences/problem.ts";
import { useAction } from "../binding/useAction.ts";
import { useApp } from "../binding/useApp.ts";
import { Button } from "../ui/Button.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { DiscardQuestion } from "../ui/DiscardQuestion.tsx";
import { TextField } from "../ui/TextField.tsx";
import { useDiscard } from "../ui/useDiscard.ts";
import { MaskFields } from "./MaskFields.tsx";
import styles from "./MaskForm.module.css";
import { isGone } from "./maskDialog.ts";
import { useArmed } from "./useArmed.ts";
import { useDraft } from "./useDraft.ts";

interface EditMaskDialogProps {
  readonly mask: Mask;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onRemoved: () => void;
}

/** How long "Confirm Delete" waits for the second press (B9). */
const confirmForMs = 3_000;

/** Changes a mask, or deletes it in two steps (MA5). */
export const EditMaskDialog = ({ mask, isOpen, onClose, onRemoved }: EditMaskDialogProps) => {
  const { masks } = useApp();
  const draft = useDraft({
    description: mask.description ?? "",
    forwardTo: mask.forwardTo,
    spamFilter: mask.settings?.spamFilter ?? false,
    customPrefix: mask.customPrefix ?? "",
  });
  const close = (): void => {
    onClose();
    onRemoved();
  };
  /** There is nothing left to edit, and a message has said so. */
  const closeIfGone = (problem: Problem): void => {
    if (isGone(problem)) close();
  };
  const save = useAction(masks.edit, { onSuccess: onClose, onProblem: closeIfGone });
  const remove = useAction(masks.remove, { onSuccess: close, onProblem: closeIfGone });
  const discard = useDiscard(draft.isChanged, onClose);
  const deletion = useArmed(confirmForMs, () => remove.run(mask.id));
  const isPending = save.isRunning || remove.isRunning;

  return (
    <Dialog
      isOpen={isOpen}
      onClose={discard.ask}
      title="Edit Mask"
      onSubmit={() => save.run(mask.id, draft.values)}
      isPending={isPending}
      footer={
        discard.isAsking ? (
          <DiscardQuestion onKeep={discard.keep} onDiscard={onClose} />
        ) : (
          <>
            <Button
              variant={deletion.isArmed ? "danger" : "quietDanger"}
              onPress={deletion.press}
              isDisabled={save.isRunning}
              isPending={remove.isRunning}
              className={styles.delete}
            >
              {deletion.isArmed ? "Confirm Delete" : "Delete"}
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
      <MaskFields
        draft={draft}
        problem={save.problem ?? remove.problem}
        onEdit={save.forget}
        forwardedTo={mask.forwardTo}
        longestPrefix={longestPrefix}
        prefixHint="Another prefix gives the mask another address, shown in place of this one. Mail to this one still arrives."
      >
        <TextField label="Mask email" value={mask.maskEmail} isReadOnly isMonospace />
      </MaskFields>
      <span role="status" className="visually-hidden">
        {deletion.isArmed &&
          "Press Confirm Delete within 3 seconds to delete this mask. This cannot be undone."}
      </span>
    </Dialog>
  );
};
