import { type FormEvent, useState } from "react";
import type { Encryption } from "../../../core/encryption/encryption.ts";
import { fieldMessage, useFormAction } from "../../react/useAction.ts";
import { Button } from "../../ui/Button.tsx";
import { Banner } from "../../ui/feedback/Banner.tsx";
import { ProblemBanner } from "../../ui/feedback/ProblemBanner.tsx";
import { FileButton, useFileReader } from "../../ui/files.tsx";
import { TextArea } from "../../ui/form/TextArea.tsx";
import { ButtonRow } from "../../ui/layout/layout.tsx";
import styles from "./Encryption.module.css";
import { keyFileTypes, readKeyFile } from "./ImportForm.tsx";
import { type KeyDetails, KeyDetailsList } from "./KeyDetailsList.tsx";

interface OwnKeyFormProps {
  readonly encryption: Encryption;
  readonly onUsed: () => void;
  readonly onCancel: () => void;
}

/** Takes a public key that was made elsewhere: shows its details first, then switches on encryption to it. */
export const OwnKeyForm = ({ encryption, onUsed, onCancel }: OwnKeyFormProps) => {
  const [publicKey, setPublicKey] = useState("");
  const [details, setDetails] = useState<KeyDetails | null>(null);
  const examine = useFormAction(encryption.examine, { onSuccess: setDetails });
  const use = useFormAction(encryption.setPublicKey, { onSuccess: onUsed });
  const problem = examine.problem ?? use.problem;
  const changeKey = (text: string): void => {
    setPublicKey(text);
    setDetails(null);
    examine.clearProblem();
    use.clearProblem();
  };
  const file = useFileReader(readKeyFile, changeKey);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    event.stopPropagation();
    if (details === null) examine.run(publicKey);
    else use.run(publicKey);
  };
  return (
    <form className={styles.panel} noValidate onSubmit={submit}>
      <p>
        For people who already use OpenPGP. Mail is encrypted to your key, and you read it in the mail program
        that has the private key.
      </p>
      <TextArea
        label="Your public key"
        rows={6}
        isMonospace
        value={publicKey}
        onChange={(text) => {
          file.reset();
          changeKey(text);
        }}
        onFile={file.readFile}
        placeholder="-----BEGIN PGP PUBLIC KEY BLOCK-----"
        description="Drop a file here, choose it, or paste the key."
        error={fieldMessage(problem, "publicKey")}
      />
      <FileButton label="Choose a key file" accept={keyFileTypes} onFile={file.readFile} error={file.error} />
      {details && <KeyDetailsList details={details} />}
      {details?.userIds.some((id) => id.includes("@")) && (
        <Banner>
          This key names an address, so it is not offered to people who look up the keys of your masks.
        </Banner>
      )}
      <ProblemBanner problem={problem} />
      <ButtonRow>
        <Button
          type="submit"
          variant="primary"
          isPending={examine.isRunning || use.isRunning}
          pendingLabel={details === null ? "Looking…" : "Switching on…"}
        >
          {details === null ? "Check the key" : "Encrypt to this key"}
        </Button>
        <Button onPress={onCancel} isDisabled={use.isRunning}>
          Cancel
        </Button>
      </ButtonRow>
    </form>
  );
};
