import { type DragEvent, useEffect, useState } from "react";
import { createEncryption, type Encryption } from "../../../../core/encryption/encryption.ts";
import { useAction } from "../../../react/useAction.ts";
import { useFeature } from "../../../react/useApp.ts";
import { Button } from "../../../ui/Button.tsx";
import { classes } from "../../../ui/classes.ts";
import { Banner } from "../../../ui/feedback/Banner.tsx";
import { FileButton, useFileReader } from "../../../ui/files.tsx";
import { Dialog } from "../../../ui/overlay/Dialog.tsx";
import styles from "./MailReader.module.css";
import { MailView, type ShownMail } from "./MailView.tsx";

interface MailReaderProps {
  readonly encryption: Encryption;
  /** A stored mail to open immediately (RFC 5322); without it the user chooses a file. */
  readonly mail?: Uint8Array<ArrayBuffer>;
}

/** Decrypts a mail with the keys on this device and shows it; nothing is sent to the server. */
export const MailReader = ({ encryption, mail }: MailReaderProps) => {
  const [shown, setShown] = useState<ShownMail | null>(null);
  const [isDragOver, setDragOver] = useState(false);
  const open = useAction(encryption.open, { onSuccess: setShown });
  const { run, clearProblem } = open;
  useEffect(() => {
    if (mail) run(mail);
  }, [mail, run]);
  const file = useFileReader(
    (chosen) => chosen.arrayBuffer(),
    (content) => run(new Uint8Array(content)),
  );
  const openFile = (chosen: File | undefined): void => {
    if (chosen === undefined) return;
    clearProblem();
    file.readFile(chosen);
  };
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setDragOver(false);
    openFile(event.dataTransfer.files[0]);
  };
  const problem = open.problem;
  const message = problem?.fields[0]?.message ?? problem?.message ?? "";
  if (shown !== null)
    return (
      <div className={styles.reader}>
        <MailView mail={shown} />
        {mail === undefined && (
          <div>
            <Button onPress={() => setShown(null)}>Open another email</Button>
          </div>
        )}
      </div>
    );
  return (
    <div className={styles.reader}>
      {mail === undefined && (
        // biome-ignore lint/a11y/noStaticElementInteractions: dropping is optional; the button inside does the same
        <div
          className={classes(styles.drop, isDragOver && styles.over)}
          onDragOver={(event) => {
            event.preventDefault();
            setDragOver(true);
          }}
          onDragLeave={() => setDragOver(false)}
          onDrop={drop}
        >
          <p>
            Drop an email here that you saved as an .eml file. It is opened on this device and sent nowhere.
          </p>
          <FileButton
            label="Choose an .eml file"
            accept=".eml,message/rfc822"
            onFile={openFile}
            error={file.error}
            isPending={open.isRunning}
          />
        </div>
      )}
      {mail !== undefined && open.isRunning && <p role="status">Opening the email…</p>}
      {message !== "" && <Banner kind="error">{message}</Banner>}
    </div>
  );
};

interface ArchivedMailDialogProps {
  /** The stored mail (RFC 5322). */
  readonly mail: Uint8Array<ArrayBuffer>;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Decrypts one archived mail with the keys on this device and shows it. */
export const ArchivedMailDialog = ({ mail, isOpen, onClose }: ArchivedMailDialogProps) => {
  const encryption = useFeature(createEncryption);
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Archived mail" size="large">
      <MailReader encryption={encryption} mail={mail} />
    </Dialog>
  );
};
