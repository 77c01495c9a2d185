import { type FormEvent, useState } from "react";
import { sentenceFor, useAction } from "../binding/useAction.ts";
import { Banner } from "../ui/Banner.tsx";
import { Button } from "../ui/Button.tsx";
import { ButtonRow } from "../ui/ButtonRow.tsx";
import { TextArea } from "../ui/TextArea.tsx";
import { TextField } from "../ui/TextField.tsx";
import styles from "./Encryption.module.css";
import type { Encryption } from "./encryptionPart.ts";
import { FileChoice } from "./FileChoice.tsx";
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
  const [isUnread, setUnread] = useState(false);
  const action = useAction(encryption.importBackup, {
    onSuccess: ({ fingerprint }) => onImported(fingerprint),
  });
  const take = (text: string): void => {
    setBackup(text);
    setUnread(false);
    action.forget();
  };
  const read = (file: File): void => {
    void readKeyFile(file).then(take, () => setUnread(true));
  };
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
        onChange={take}
        onFile={read}
        description="Drop the .asc file here, choose it, or paste its text."
        error={
          isUnread
            ? "This file could not be read. Please choose it again."
            : sentenceFor(action.problem, "backup")
        }
      />
      <FileChoice label="Choose the backup file" accept={keyFiles} onFile={read} />
      <TextField
        label="Passphrase of the backup"
        name="backup-passphrase"
        type="password"
        value={passphrase}
        onChange={(value) => {
          setPassphrase(value);
          action.forget();
        }}
        error={sentenceFor(action.problem, "passphrase")}
        autoComplete="current-password"
        autoCapitalize="none"
        spellCheck={false}
      />
      {action.problem && action.problem.sentence !== "" && (
        <Banner kind="error">{action.problem.sentence}</Banner>
      )}
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
