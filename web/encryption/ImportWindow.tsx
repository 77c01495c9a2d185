import { useState } from "react";
import { useObservable } from "../binding/useObservable.ts";
import { Banner } from "../ui/Banner.tsx";
import { Button } from "../ui/Button.tsx";
import { ButtonRow } from "../ui/ButtonRow.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import styles from "./Encryption.module.css";
import type { Encryption } from "./encryptionPart.ts";
import { ImportForm } from "./ImportForm.tsx";

interface ImportWindowProps {
  readonly encryption: Encryption;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Brings a private key to this device, and says what it is good for. */
export const ImportWindow = ({ encryption, isOpen, onClose }: ImportWindowProps) => {
  const state = useObservable(encryption.state$);
  const [imported, setImported] = useState<string | null>(null);
  const close = (): void => {
    setImported(null);
    onClose();
  };
  const isInUse = state.at === "on" && state.fingerprint === imported;
  return (
    <Dialog isOpen={isOpen} onClose={close} title="Import a backup">
      {imported === null ? (
        <ImportForm encryption={encryption} onImported={setImported} onCancel={close} />
      ) : (
        <div className={styles.panel}>
          {isInUse ? (
            <Banner kind="success">This device can open your mail now.</Banner>
          ) : (
            <Banner kind="warning">
              The key is on this device now, but it is not the one that your mail is encrypted to. It opens
              mail that was encrypted to it; for new mail, import the backup of the key in use.
            </Banner>
          )}
          <ButtonRow>
            <Button variant="primary" onPress={close}>
              Done
            </Button>
            {!isInUse && <Button onPress={() => setImported(null)}>Import another</Button>}
          </ButtonRow>
        </div>
      )}
    </Dialog>
  );
};
