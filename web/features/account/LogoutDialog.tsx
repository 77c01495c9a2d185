import { useState } from "react";
import { createRulesAndSync } from "../../../core/app/rulesAndSync.ts";
import { keyDeletionWarning } from "../../../core/encryption/logoutWarning.ts";
import { waitingWarning } from "../../../core/masks/waitingMask.ts";
import { createWaitingMasks } from "../../../core/masks/waitingMasks.ts";
import { useTask } from "../../react/useAction.ts";
import { useFeature, useSignedIn } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";
import { Button } from "../../ui/Button.tsx";
import { Banner } from "../../ui/feedback/Banner.tsx";
import { ConfirmDialog } from "../../ui/overlay/ConfirmDialog.tsx";

interface LogoutDialogProps {
  readonly isLoggingOut: boolean;
  readonly onLogOut: () => void;
  readonly onCancel: () => void;
}

/** Asks for confirmation before a logout that loses unsaved changes, masks and changes that wait for a connection, or keys (D45), and offers to sync the changes first. */
export const LogoutDialog = ({ isLoggingOut, onLogOut, onCancel }: LogoutDialogProps) => {
  const { deletesPrivateKeys } = useSignedIn();
  const { sync, unsavedWarning } = useFeature(createRulesAndSync);
  const { list$, changes$ } = useFeature(createWaitingMasks);
  const waitingMessage = waitingWarning(useObservable(list$).length, useObservable(changes$).length);
  const [unsavedMessage, setUnsavedMessage] = useState(unsavedWarning);
  const [isLosingKeys] = useState(deletesPrivateKeys);
  const [hasSyncFailed, setSyncFailed] = useState(false);
  const syncAction = useTask(() => async () => {
    await sync.syncNow();
    const remaining = unsavedWarning();
    setUnsavedMessage(remaining);
    setSyncFailed(remaining !== null);
    if (remaining === null && list$.value.length + changes$.value.length === 0) onLogOut();
  });
  return (
    <ConfirmDialog
      isOpen
      title="Log out?"
      confirmLabel="Log out"
      pendingLabel="Logging out…"
      cancelLabel="Stay"
      isDanger={unsavedMessage !== null || waitingMessage !== null || isLosingKeys}
      isPending={isLoggingOut}
      onConfirm={onLogOut}
      onCancel={onCancel}
    >
      {unsavedMessage !== null && <p>{unsavedMessage}</p>}
      {waitingMessage !== null && <p>{waitingMessage}</p>}
      {isLosingKeys && <p>{keyDeletionWarning}</p>}
      {hasSyncFailed && (
        <Banner kind="warning">They could not be sent. Try again when you are online.</Banner>
      )}
      {unsavedMessage !== null && (
        <Button onPress={syncAction.run} isPending={syncAction.isRunning} pendingLabel="Syncing…">
          Sync Now, then log out
        </Button>
      )}
    </ConfirmDialog>
  );
};
