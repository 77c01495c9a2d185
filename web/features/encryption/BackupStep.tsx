import { type ReactNode, useState } from "react";
import type { Encryption } from "../../../core/encryption/encryption.ts";
import { saveFirst } from "../../../core/encryption/encryptionMessages.ts";
import { fieldMessage, useFormAction } from "../../react/useAction.ts";
import { Button } from "../../ui/Button.tsx";
import { Banner } from "../../ui/feedback/Banner.tsx";
import { ProblemBanner } from "../../ui/feedback/ProblemBanner.tsx";
import { Checkbox } from "../../ui/form/Checkbox.tsx";
import { ButtonRow } from "../../ui/layout/layout.tsx";
import { BackupFields } from "./BackupFields.tsx";
import styles from "./Encryption.module.css";
import type { StateAt } from "./encryptionTypes.ts";

interface BackupStepProps {
  readonly encryption: Encryption;
  readonly state: StateAt<"made">;
  /** Leaves the set-up; the key is thrown away then. */
  readonly later?: ReactNode;
}

/** Asks for a backup of a generated key; mail is encrypted to the key only after that. */
export const BackupStep = ({ encryption, state, later }: BackupStepProps) => {
  const [isExported, setExported] = useState(false);
  const [isSaved, setSaved] = useState(false);
  const turnOn = useFormAction(encryption.turnOn);
  const discard = useFormAction(encryption.discard);
  const savedError = isExported ? "Tick this once the backup is in a safe place." : saveFirst;
  const [isSubmitted, setSubmitted] = useState(false);
  const submit = (): void => {
    setSubmitted(true);
    if (isSaved) turnOn.run();
  };
  const markExported = (): void => {
    setExported(true);
    turnOn.clearProblem();
  };
  return (
    <div className={styles.panel}>
      <Banner kind="warning">
        Your key is ready, but not in use yet. Save a backup first: if this browser loses the key, nobody can
        open your mail without the backup, not even the operator of this server.
      </Banner>
      <BackupFields encryption={encryption} onSaved={markExported} />
      <Checkbox
        label="I have saved the backup and remember its passphrase"
        isChecked={isSaved}
        onChange={(isChecked) => {
          setSaved(isChecked);
          turnOn.clearProblem();
        }}
        error={isSaved ? fieldMessage(turnOn.problem, "saved") : isSubmitted ? savedError : undefined}
        isRequired
      />
      <ProblemBanner problem={turnOn.problem} />
      <ProblemBanner problem={discard.problem} />
      <ButtonRow>
        <Button variant="primary" onPress={submit} isPending={turnOn.isRunning} pendingLabel="Switching on…">
          {state.replaces ? "Use the new key" : "Switch on encryption"}
        </Button>
        {later}
        <Button variant="quietDanger" onPress={() => discard.run()} isPending={discard.isRunning}>
          Delete this key
        </Button>
      </ButtonRow>
    </div>
  );
};
