import { useState } from "react";
import { leavingKeys } from "../../core/encryption/leavingKeys.ts";
import { useTask } from "../binding/useAction.ts";
import { useApp } from "../binding/useApp.ts";
import { useLatePart } from "../binding/useLatePart.ts";
import { Banner } from "../ui/Banner.tsx";
import { Button } from "../ui/Button.tsx";
import { ConfirmDialog } from "../ui/ConfirmDialog.tsx";

interface LogOutQuestionProps {
  readonly isLoggingOut: boolean;
  readonly onLogOut: () => void;
  readonly onStay: () => void;
}

/** Asks before a logout deletes what the server has not got yet (D45); what can be sent can be sent from here. */
export const LogOutQuestion = ({ isLoggingOut, onLogOut, onStay }: LogOutQuestionProps) => {
  const { rules, unsaved, losesKeys } = useApp();
  const { part } = useLatePart(rules);
  const [sentence, setSentence] = useState(unsaved);
  const [isLosingKeys] = useState(losesKeys);
  const [isStillUnsaved, setStillUnsaved] = useState(false);
  const sync = useTask(() => async () => {
    await part?.sync.syncNow();
    const left = unsaved();
    setSentence(left);
    setStillUnsaved(left !== null);
    if (left === null) onLogOut();
  });
  return (
    <ConfirmDialog
      isOpen
      title="Log out?"
      confirmLabel="Log out"
      pendingLabel="Logging out…"
      cancelLabel="Stay"
      isDanger={sentence !== null || isLosingKeys}
      isPending={isLoggingOut}
      onConfirm={onLogOut}
      onCancel={onStay}
    >
      {sentence !== null && <p>{sentence}</p>}
      {isLosingKeys && <p>{leavingKeys}</p>}
      {isStillUnsaved && (
        <Banner kind="warning">They could not be sent. Try again when you are online.</Banner>
      )}
      {part && sentence !== null && (
        <Button onPress={sync.run} isPending={sync.isRunning} pendingLabel="Syncing…">
          Sync Now, then log out
        </Button>
      )}
    </ConfirmDialog>
  );
};
