import { type FormEvent, useState } from "react";
import { fieldMessage } from "../binding/fieldMessage.ts";
import { useAction } from "../binding/useAction.ts";
import { Button } from "../ui/Button.tsx";
import { ButtonRow } from "../ui/ButtonRow.tsx";
import { FileButton } from "../ui/FileButton.tsx";
import { ProblemBanner } from "../ui/ProblemBanner.tsx";
import { TextArea } from "../ui/TextArea.tsx";
import { TextField } from "../ui/TextField.tsx";
import { useFile } from "../ui/useFile.ts";
import styles from "./Encryption.module.css";
import type { Encryption } from "./encryptionPart.ts";
import { keyFiles, readKeyFile } from "./keyFile.ts";

interface ImportFormProps {
  readonly encryption: Encryption;
  readonly onImported: (fingerprint: string) => void;
  readonly onCancel: () => void;
}

/** Brings a private key to this device from its backup. */
export const ImportForm = ({ encryption, onImported, onCancel }: ImportFormProps) => {
  const [backup, setBackup] = useState("");
  const [passphrase, setPassphrase] = useState("");
  const action = useAction(encryption.importBackup, {
    onSuccess: ({ fingerprint }) => onImported(fingerprint),
  });
  const take = (text: string): void => {
    setBackup(text);
    action.forget();
  };
  const file = useFile(readKeyFile, take);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    event.stopPropagation();
    action.run(backup, passphrase);
  };
  return (
    <form className={styles.panel} noValidate onSubmit={submit}>
      <TextArea
        label="Backup of your private key"
        rows={5}
        isMonospace
        value={backup}
        onChange={(text) => {
          file.forget();
          take(text);
        }}
        onFile={file.take}
        description="Drop the .asc file here, choose it, or paste its text."
        error={fieldMessage(action.problem, "backup")}
      />
      <FileButton label="Choose the backup file" accept={keyFiles} onFile={file.take} error={file.error} />
      <TextField
        label="Passphrase of the backup"
        name="backup-passphrase"
        type="password"
        value={passphrase}
        onChange={(value) => {
          setPassphrase(value);
          action.forget();
        }}
        error={fieldMessage(action.problem, "passphrase")}
        autoComplete="current-password"
        autoCapitalize="none"
        spellCheck={false}
      />
      <ProblemBanner problem={action.problem} />
      <ButtonRow>
        <Button type="submit" variant="primary" isPending={action.isRunning} pendingLabel="Importing…">
          Import the key
        </Button>
        <Button onPress={onCancel} isDisabled={action.isRunning}>
          Cancel
        </Button>
      </ButtonRow>
    </form>
  );
};
