import { useEffect } from "react";
import { useAction } from "../binding/useAction.ts";
import { useObservable } from "../binding/useObservable.ts";
import { Button } from "../ui/Button.tsx";
import { ConfirmDialog } from "../ui/ConfirmDialog.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { ProblemBanner } from "../ui/ProblemBanner.tsx";
import { BackupFields } from "./BackupFields.tsx";
import styles from "./Encryption.module.css";
import type { Encryption } from "./encryptionPart.ts";
import { ImportWindow } from "./ImportWindow.tsx";
import { KeySetup } from "./KeySetup.tsx";
import { MailReader } from "./MailReader.tsx";
import { OwnKeyForm } from "./OwnKeyForm.tsx";
import type { WindowName } from "./windowName.ts";

interface EncryptionWindowProps {
  readonly encryption: Encryption;
  readonly name: WindowName;
  readonly isOpen: boolean;
  readonly onOpen: (name: WindowName) => void;
  readonly onClose: () => void;
}

type Given = Omit<EncryptionWindowProps, "name" | "onOpen">;

const Setup = ({ encryption, isOpen, onClose }: Given) => {
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

const Backup = ({ encryption, isOpen, onClose }: Given) => (
  <Dialog
    isOpen={isOpen}
    onClose={onClose}
    title="Save another backup"
    footer={<Button onPress={onClose}>Done</Button>}
  >
    <div className={styles.panel}>
      <p>A copy of the key in use, behind a passphrase. Backups that you saved before stay good.</p>
      <BackupFields encryption={encryption} onSaved={() => undefined} />
    </div>
  </Dialog>
);

const OwnKey = ({ encryption, isOpen, onClose }: Given) => (
  <Dialog isOpen={isOpen} onClose={onClose} title="Use a key of my own">
    <OwnKeyForm encryption={encryption} onUsed={onClose} onCancel={onClose} />
  </Dialog>
);

const Replace = ({ encryption, isOpen, onClose, onOpen }: Given & Pick<EncryptionWindowProps, "onOpen">) => {
  const { at } = useObservable(encryption.state$);
  const generate = useAction(encryption.generate);
  const isBegun = isOpen && (at === "making" || at === "made");
  useEffect(() => {
    if (isBegun) onOpen("setup");
  }, [isBegun, onOpen]);
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
            Make a new key
          </Button>
        </>
      }
    >
      <div className={styles.panel}>
        <p>
          New mail is encrypted to the new key, once its backup is saved. The key you have stays on this
          device and still opens the mail of before; keep its backup as well.
        </p>
        <p>Other devices and mail programs need the new key before they can open new mail.</p>
        <ProblemBanner problem={generate.problem} />
      </div>
    </Dialog>
  );
};

const TurnOff = ({ encryption, isOpen, onClose }: Given) => {
  const turnOff = useAction(encryption.turnOff, { onSuccess: onClose });
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title="Turn encryption off?"
      confirmLabel="Turn off"
      pendingLabel="Turning off…"
      isDanger
      isPending={turnOff.isRunning}
      onConfirm={() => turnOff.run()}
      onCancel={onClose}
    >
      <p>
        From then on mail is forwarded as it comes, readable for whoever stores it. Mail that is encrypted
        already stays so: keep your key and its backup to read it.
      </p>
      <ProblemBanner problem={turnOff.problem} />
    </ConfirmDialog>
  );
};

const Forget = ({ encryption, isOpen, onClose }: Given) => {
  const forget = useAction(encryption.forgetKeys, { onSuccess: onClose });
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title="Remove your private keys from this device?"
      confirmLabel="Remove"
      pendingLabel="Removing…"
      isDanger
      isPending={forget.isRunning}
      onConfirm={() => forget.run()}
      onCancel={onClose}
    >
      <p>
        This device cannot open your mail any more until you import a backup. Without a backup and its
        passphrase nobody can ever open it. Mail goes on being encrypted to the same key.
      </p>
      <ProblemBanner problem={forget.problem} />
    </ConfirmDialog>
  );
};

const Reader = ({ encryption, isOpen, onClose }: Given) => (
  <Dialog isOpen={isOpen} onClose={onClose} title="Open a mail" size="large">
    <MailReader encryption={encryption} />
  </Dialog>
);

/** The window that the encryption card has opened. */
export const EncryptionWindow = ({ name, onOpen, ...given }: EncryptionWindowProps) => {
  switch (name) {
    case "setup":
      return <Setup {...given} />;
    case "import":
      return <ImportWindow {...given} />;
    case "backup":
      return <Backup {...given} />;
    case "own":
      return <OwnKey {...given} />;
    case "replace":
      return <Replace {...given} onOpen={onOpen} />;
    case "off":
      return <TurnOff {...given} />;
    case "forget":
      return <Forget {...given} />;
    case "read":
      return <Reader {...given} />;
  }
};
