import { useEffect, useState } from "react";
import type { Encryption } from "../../../core/encryption/encryption.ts";
import { ActionDialog } from "../../items/ActionDialog.tsx";
import { useFormAction } from "../../react/useAction.ts";
import { useObservable } from "../../react/useObservable.ts";
import { Button } from "../../ui/Button.tsx";
import { Banner } from "../../ui/feedback/Banner.tsx";
import { ProblemBanner } from "../../ui/feedback/ProblemBanner.tsx";
import { ButtonRow } from "../../ui/layout/layout.tsx";
import { Dialog } from "../../ui/overlay/Dialog.tsx";
import { BackupFields } from "./BackupFields.tsx";
import styles from "./Encryption.module.css";
import type { EncryptionDialogName } from "./encryptionTypes.ts";
import { ImportForm } from "./ImportForm.tsx";
import { KeySetup } from "./KeySetup.tsx";
import { MailReader } from "./mail/MailReader.tsx";
import { OwnKeyForm } from "./OwnKeyForm.tsx";

interface ImportDialogProps {
  readonly encryption: Encryption;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

type EncryptionState = Encryption["state$"]["value"];

const ImportResult = ({
  state,
  importedFingerprint,
}: {
  readonly state: EncryptionState;
  readonly importedFingerprint: string;
}) => {
  if (state.at !== "on")
    return (
      <Banner kind="success">
        The key is on this device now, and opens the mail that was encrypted to it.
        {state.at === "off" &&
          " Encryption is off: new mail is forwarded as it arrives, readable without a key."}
      </Banner>
    );
  if (state.fingerprint === importedFingerprint)
    return <Banner kind="success">This device can open your mail now.</Banner>;
  return (
    <Banner kind="warning">
      The key is on this device now, but it is not the one that your mail is encrypted to. It opens mail that
      was encrypted to it; for new mail, import the backup of the key in use.
    </Banner>
  );
};

const ImportDialog = ({ encryption, isOpen, onClose }: ImportDialogProps) => {
  const state = useObservable(encryption.state$);
  const [importedFingerprint, setImportedFingerprint] = useState<string | null>(null);
  const close = (): void => {
    setImportedFingerprint(null);
    onClose();
  };
  const isInUse = state.at === "on" && state.fingerprint === importedFingerprint;
  return (
    <Dialog isOpen={isOpen} onClose={close} title="Import a backup">
      {importedFingerprint === null ? (
        <ImportForm encryption={encryption} onImported={setImportedFingerprint} onCancel={close} />
      ) : (
        <div className={styles.panel}>
          <ImportResult state={state} importedFingerprint={importedFingerprint} />
          <ButtonRow>
            <Button variant="primary" onPress={close}>
              Done
            </Button>
            {!isInUse && <Button onPress={() => setImportedFingerprint(null)}>Import another</Button>}
          </ButtonRow>
        </div>
      )}
    </Dialog>
  );
};

interface EncryptionDialogProps {
  readonly encryption: Encryption;
  readonly name: EncryptionDialogName;
  readonly isOpen: boolean;
  readonly onOpen: (name: EncryptionDialogName) => void;
  readonly onClose: () => void;
}

type DialogProps = Omit<EncryptionDialogProps, "name" | "onOpen">;

const SetupDialog = ({ encryption, isOpen, onClose }: DialogProps) => {
  const { at } = useObservable(encryption.state$);
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      isPending={at === "making"}
      title="Encrypt your mail"
      footer={at === "on" ? <Button onPress={onClose}>Done</Button> : undefined}
    >
      <KeySetup encryption={encryption} />
    </Dialog>
  );
};

const BackupDialog = ({ encryption, isOpen, onClose }: DialogProps) => (
  <Dialog
    isOpen={isOpen}
    onClose={onClose}
    title="Save another backup"
    footer={<Button onPress={onClose}>Done</Button>}
  >
    <div className={styles.panel}>
      <p>A copy of the key in use, protected by a passphrase. Earlier backups stay valid.</p>
      <BackupFields encryption={encryption} onSaved={() => undefined} />
    </div>
  </Dialog>
);

const OwnKeyDialog = ({ encryption, isOpen, onClose }: DialogProps) => (
  <Dialog isOpen={isOpen} onClose={onClose} title="Use a key of my own">
    <OwnKeyForm encryption={encryption} onUsed={onClose} onCancel={onClose} />
  </Dialog>
);

const ReplaceDialog = ({
  encryption,
  isOpen,
  onClose,
  onOpen,
}: DialogProps & Pick<EncryptionDialogProps, "onOpen">) => {
  const { at } = useObservable(encryption.state$);
  const generate = useFormAction(encryption.generate);
  const hasStarted = isOpen && (at === "making" || at === "made");
  useEffect(() => {
    if (hasStarted) onOpen("setup");
  }, [hasStarted, onOpen]);
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title="Replace the key?"
      footer={
        <>
          <Button onPress={onClose}>Cancel</Button>
          <Button onPress={() => onOpen("own")}>Use a key of my own</Button>
          <Button variant="primary" onPress={() => generate.run()} isPending={generate.isRunning}>
            Create a new key
          </Button>
        </>
      }
    >
      <div className={styles.panel}>
        <p>
          New mail is encrypted to the new key, once its backup is saved. Your present key stays on this
          device and still opens older mail; keep its backup as well.
        </p>
        <p>Other devices and mail programs need the new key before they can open new mail.</p>
        <ProblemBanner problem={generate.problem} />
      </div>
    </Dialog>
  );
};

const TurnOffDialog = ({ encryption, ...dialog }: DialogProps) => (
  <ActionDialog
    {...dialog}
    title="Switch encryption off?"
    confirmLabel="Switch off"
    pendingLabel="Switching off…"
    isDanger
    action={encryption.turnOff}
  >
    <p>
      New mail is forwarded as it arrives, and anyone who stores it can read it. Mail that is already
      encrypted stays encrypted: keep your key and its backup to read it.
    </p>
  </ActionDialog>
);

const ForgetKeysDialog = ({ encryption, ...dialog }: DialogProps) => (
  <ActionDialog
    {...dialog}
    title="Remove your private keys from this device?"
    confirmLabel="Remove"
    pendingLabel="Removing…"
    isDanger
    action={encryption.forgetKeys}
  >
    <p>
      This device cannot open your mail until you import a backup. Without a backup and its passphrase nobody
      can ever open that mail. New mail is still encrypted to the same key.
    </p>
  </ActionDialog>
);

const MailReaderDialog = ({ encryption, isOpen, onClose }: DialogProps) => (
  <Dialog isOpen={isOpen} onClose={onClose} title="Open an email" size="large">
    <MailReader encryption={encryption} />
  </Dialog>
);

/** The dialog that the encryption card has opened. */
export const EncryptionDialog = ({ name, onOpen, ...props }: EncryptionDialogProps) => {
  switch (name) {
    case "setup":
      return <SetupDialog {...props} />;
    case "import":
      return <ImportDialog {...props} />;
    case "backup":
      return <BackupDialog {...props} />;
    case "own":
      return <OwnKeyDialog {...props} />;
    case "replace":
      return <ReplaceDialog {...props} onOpen={onOpen} />;
    case "off":
      return <TurnOffDialog {...props} />;
    case "forget":
      return <ForgetKeysDialog {...props} />;
    case "read":
      return <MailReaderDialog {...props} />;
  }
};
