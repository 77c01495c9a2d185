import { type FormEvent, useState } from "react";
import type { Encryption } from "../../../core/encryption/encryption.ts";
import { fieldMessage, useFormAction } from "../../react/useAction.ts";
import { Button } from "../../ui/Button.tsx";
import { ProblemBanner } from "../../ui/feedback/ProblemBanner.tsx";
import { FileButton, useFileReader } from "../../ui/files.tsx";
import { TextArea } from "../../ui/form/TextArea.tsx";
import { TextField } from "../../ui/form/TextField.tsx";
import { ButtonRow } from "../../ui/layout/layout.tsx";
import styles from "./Encryption.module.css";

/** The `accept` value for files with keys. */
export const keyFileTypes = ".asc,.gpg,.pgp,.key,.txt,application/pgp-keys,text/plain";

/** Characters; longer than any key that the server accepts. */
const maxKeyCharacters = 200_000;

/** Reads the text of a key file, up to the longest key. */
export const readKeyFile = (file: File): Promise<string> => file.slice(0, maxKeyCharacters).text();

interface ImportFormProps {
  readonly encryption: Encryption;
  readonly onImported: (fingerprint: string) => void;
  readonly onCancel: () => void;
}

/** Imports a private key to this device from its backup. */
export const ImportForm = ({ encryption, onImported, onCancel }: ImportFormProps) => {
  const [backup, setBackup] = useState("");
  const [passphrase, setPassphrase] = useState("");
  const action = useFormAction(encryption.importBackup, {
    onSuccess: ({ fingerprint }) => onImported(fingerprint),
  });
  const changeBackup = (text: string): void => {
    setBackup(text);
    action.clearProblem();
  };
  const file = useFileReader(readKeyFile, changeBackup);
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
          file.reset();
          changeBackup(text);
        }}
        onFile={file.readFile}
        description="Drop the .asc file here, choose it, or paste its text."
        error={fieldMessage(action.problem, "backup")}
      />
      <FileButton
        label="Choose the backup file"
        accept={keyFileTypes}
        onFile={file.readFile}
        error={file.error}
      />
      <TextField
        label="Passphrase of the backup"
        name="backup-passphrase"
        type="password"
        value={passphrase}
        onChange={(value) => {
          setPassphrase(value);
          action.clearProblem();
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
