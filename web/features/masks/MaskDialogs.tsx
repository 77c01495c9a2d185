import { useState } from "react";
import type { Mask } from "../../../core/masks/mask.ts";
import { maskName } from "../../../core/masks/maskListSettings.ts";
import { trashDays } from "../../../core/trash/trashEndpoints.ts";
import { useFormAction } from "../../react/useAction.ts";
import { useSignedIn } from "../../react/useApp.ts";
import { ProblemBanner } from "../../ui/feedback/ProblemBanner.tsx";
import styles from "../../ui/layout/DialogBody.module.css";
import { ConfirmDialog } from "../../ui/overlay/ConfirmDialog.tsx";
import { DialogAddress } from "../../ui/overlay/useBackToClose.ts";
import { CorrespondentsDialog } from "../correspondents/CorrespondentsDialog.tsx";
import { LabelsPanel } from "../labels/LabelsPanel.tsx";
import { BlockSenderDialog } from "../senders/BlockSenderDialog.tsx";
import { TrashDialog } from "../trash/TrashDialog.tsx";
import { AddDestinationDialog } from "./AddDestinationDialog.tsx";
import { CreateMaskDialog } from "./form/CreateMaskDialog.tsx";
import { EditMaskDialog } from "./form/EditMaskDialog.tsx";
import { ListSettingsPanel } from "./list/ListSettingsPanel.tsx";
import { dialogAddress } from "./MaskAddress.ts";
import { isMaskGone, labelsButton, type MaskDialog } from "./maskDialog.ts";

interface DeleteMaskDialogProps {
  readonly mask: Mask;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onRemoved: () => void;
}

/** Asks for confirmation before a mask is deleted from its menu (MA4). */
const DeleteMaskDialog = ({ mask, isOpen, onClose, onRemoved }: DeleteMaskDialogProps) => {
  const { masks } = useSignedIn();
  const close = (): void => {
    onClose();
    onRemoved();
  };
  const remove = useFormAction(masks.remove, {
    onSuccess: close,
    isShown: (problem) => !isMaskGone(problem),
    onProblem: (problem) => {
      if (isMaskGone(problem)) close();
    },
  });
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title={`Delete ${maskName(mask)}?`}
      confirmLabel="Delete mask"
      pendingLabel="Deleting…"
      isDanger
      isPending={remove.isRunning}
      onConfirm={() => remove.run(mask.id)}
      onCancel={onClose}
    >
      <p>
        Mail to <strong className={styles.address}>{mask.maskEmail}</strong> will be refused from now on. You
        can restore it with its rules and statistics for {trashDays} days. To stop its mail for a while,
        switch it off instead.
      </p>
      {remove.problem && !isMaskGone(remove.problem) && <ProblemBanner problem={remove.problem} />}
    </ConfirmDialog>
  );
};

interface MaskDialogsProps {
  readonly dialog: MaskDialog;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** Called when the mask was deleted, and with it the element that had the focus. */
  readonly onRemoved: () => void;
  readonly onCreated: () => void;
}

const RequestedDialog = ({ dialog, isOpen, onClose, onRemoved, onCreated }: MaskDialogsProps) => {
  if (dialog.kind === "new")
    return (
      <CreateMaskDialog
        isOpen={isOpen}
        onClose={onClose}
        name={dialog.name}
        site={dialog.site}
        onCreated={() => {
          onClose();
          onCreated();
        }}
      />
    );
  if (dialog.kind === "deleted") return <TrashDialog isOpen={isOpen} onClose={onClose} />;
  if (dialog.kind === "view") return <ListSettingsPanel isOpen={isOpen} onClose={onClose} />;
  if (dialog.kind === "labels")
    return <LabelsPanel isOpen={isOpen} onClose={onClose} button={labelsButton} />;
  if (dialog.kind === "correspondents")
    return <CorrespondentsDialog mask={dialog.mask} isOpen={isOpen} onClose={onClose} />;
  if (dialog.kind === "destination")
    return <AddDestinationDialog mask={dialog.mask} isOpen={isOpen} onClose={onClose} />;
  if (dialog.kind === "block")
    return <BlockSenderDialog mask={dialog.mask} isOpen={isOpen} onClose={onClose} />;
  const dialogProps = { mask: dialog.mask, isOpen, onClose, onRemoved };
  return dialog.kind === "edit" ? <EditMaskDialog {...dialogProps} /> : <DeleteMaskDialog {...dialogProps} />;
};

/** Shows the requested dialog, which has an address. */
export const MaskDialogs = (props: MaskDialogsProps) => {
  const { masks } = useSignedIn();
  const [address] = useState(() => dialogAddress(props.dialog, masks.shownQuery$.value));
  return (
    <DialogAddress value={address}>
      <RequestedDialog {...props} />
    </DialogAddress>
  );
};
