import { useState } from "react";
import { saveFirst } from "../../core/encryption/encryptionSentences.ts";
import { fieldMessage } from "../binding/fieldMessage.ts";
import { useAction } from "../binding/useAction.ts";
import { Banner } from "../ui/Banner.tsx";
import { Button } from "../ui/Button.tsx";
import { ButtonRow } from "../ui/ButtonRow.tsx";
import { Checkbox } from "../ui/Checkbox.tsx";
import { ProblemBanner } from "../ui/ProblemBanner.tsx";
import { BackupFields } from "./BackupFields.tsx";
import styles from "./Encryption.module.css";
import type { At, Encryption } from "./encryptionPart.ts";

interface BackupStepProps {
  readonly encryption: Encryption;
  readonly state: At<"made">;
}

/** A key was made; mail is encrypted to it once its backup is saved. */
export const BackupStep = ({ encryption, state }: BackupStepProps) => {
  const [isHandedOver, setHandedOver] = useState(false);
  const [isSaved, setSaved] = useState(false);
  const turnOn = useAction(encryption.turnOn);
  const discard = useAction(encryption.discard);
  const missing = isHandedOver ? "Tick this once the backup is in a safe place." : saveFirst;
  const [isReminded, setReminded] = useState(false);
  const submit = (): void => {
    setReminded(true);
    if (isSaved) turnOn.run();
  };
  const handOver = (): void => {
    setHandedOver(true);
    turnOn.forget();
  };
  return (
    <div className={styles.panel}>
      <Banner kind="warning">
        Your key is made, and not used yet. Save a backup first: if this browser loses the key, nobody can
        open your mail without it, and neither can we.
      </Banner>
      <BackupFields encryption={encryption} onSaved={handOver} />
      <Checkbox
        label="I have saved the backup and remember its passphrase"
        isChecked={isSaved}
        onChange={(isChecked) => {
          setSaved(isChecked);
          turnOn.forget();
        }}
        error={isSaved ? fieldMessage(turnOn.problem, "saved") : isReminded ? missing : undefined}
        isRequired
      />
      <ProblemBanner problem={turnOn.problem} />
      <ProblemBanner problem={discard.problem} />
      <ButtonRow>
        <Button variant="primary" onPress={submit} isPending={turnOn.isRunning} pendingLabel="Turning on…">
          {state.replaces ? "Use the new key" : "Turn on encryption"}
        </Button>
        <Button variant="quietDanger" onPress={() => discard.run()} isPending={discard.isRunning}>
          Throw this key away
        </Button>
      </ButtonRow>
    </div>
  );
};
