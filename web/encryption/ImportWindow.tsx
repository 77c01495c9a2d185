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

type State = Encryption["state$"]["value"];

const Outcome = ({ state, imported }: { readonly state: State; readonly imported: string }) => {
  if (state.at !== "on")
    return (
      <Banner kind="success">
        The key is on this device now, and opens the mail that was encrypted to it.
        {state.at === "off" && " Encryption is off: new mail comes as it is, readable without a key."}
      </Banner>
    );
  if (state.fingerprint === imported)
    return <Banner kind="success">This device can open your mail now.</Banner>;
  return (
    <Banner kind="warning">
      The key is on this device now, but it is not the one that your mail is encrypted to. It opens mail that
      was encrypted to it; for new mail, import the backup of the key in use.
    </Banner>
  );
};

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
          <Outcome state={state} imported={imported} />
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
