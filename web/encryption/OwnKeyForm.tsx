import { type FormEvent, useState } from "react";
import { fieldMessage } from "../binding/fieldMessage.ts";
import { useAction } from "../binding/useAction.ts";
import { Banner } from "../ui/Banner.tsx";
import { Button } from "../ui/Button.tsx";
import { ButtonRow } from "../ui/ButtonRow.tsx";
import { FileButton } from "../ui/FileButton.tsx";
import { ProblemBanner } from "../ui/ProblemBanner.tsx";
import { TextArea } from "../ui/TextArea.tsx";
import { useFile } from "../ui/useFile.ts";
import { longDate } from "../wording/dates.ts";
import styles from "./Encryption.module.css";
import type { Encryption } from "./encryptionPart.ts";
import { Fingerprint } from "./Fingerprint.tsx";
import { keyFiles, readKeyFile } from "./keyFile.ts";

interface OwnKeyFormProps {
  readonly encryption: Encryption;
  readonly onUsed: () => void;
  readonly onCancel: () => void;
}

interface Facts {
  readonly fingerprint: string;
  readonly userIds: readonly string[];
  readonly expires: number | null;
}

const KeyFacts = ({ facts }: { readonly facts: Facts }) => (
  <dl className={styles.facts} aria-label="This key">
    <dt>Fingerprint</dt>
    <dd>
      <Fingerprint of={facts.fingerprint} />
    </dd>
    <dt>Belongs to</dt>
    <dd>{facts.userIds.join(", ") || "Nobody named"}</dd>
    <dt>Valid until</dt>
    <dd>{facts.expires === null ? "No end" : longDate(new Date(facts.expires).toISOString())}</dd>
  </dl>
);

/** A public key that was made elsewhere: looked at first, then used. */
export const OwnKeyForm = ({ encryption, onUsed, onCancel }: OwnKeyFormProps) => {
  const [publicKey, setPublicKey] = useState("");
  const [facts, setFacts] = useState<Facts | null>(null);
  const examine = useAction(encryption.examine, { onSuccess: setFacts });
  const use = useAction(encryption.takePublicKey, { onSuccess: onUsed });
  const problem = examine.problem ?? use.problem;
  const take = (text: string): void => {
    setPublicKey(text);
    setFacts(null);
    examine.forget();
    use.forget();
  };
  const file = useFile(readKeyFile, take);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    event.stopPropagation();
    if (facts === null) examine.run(publicKey);
    else use.run(publicKey);
  };
  return (
    <form className={styles.panel} noValidate onSubmit={submit}>
      <p>
        For those who have an OpenPGP key already. Mail is encrypted to it, and you read it in the mail
        program that holds its private half.
      </p>
      <TextArea
        label="Your public key"
        rows={6}
        isMonospace
        value={publicKey}
        onChange={(text) => {
          file.forget();
          take(text);
        }}
        onFile={file.take}
        placeholder="-----BEGIN PGP PUBLIC KEY BLOCK-----"
        description="Drop a file here, choose it, or paste the key."
        error={fieldMessage(problem, "publicKey")}
      />
      <FileButton label="Choose a key file" accept={keyFiles} onFile={file.take} error={file.error} />
      {facts && <KeyFacts facts={facts} />}
      {facts?.userIds.some((id) => id.includes("@")) && (
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
          pendingLabel={facts === null ? "Looking…" : "Turning on…"}
        >
          {facts === null ? "Look at the key" : "Encrypt to this key"}
        </Button>
        <Button onPress={onCancel} isDisabled={use.isRunning}>
          Cancel
        </Button>
      </ButtonRow>
    </form>
  );
};
