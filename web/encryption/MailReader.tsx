import { type DragEvent, useEffect, useState } from "react";
import { useAction } from "../binding/useAction.ts";
import { Banner } from "../ui/Banner.tsx";
import { Button } from "../ui/Button.tsx";
import { classes } from "../ui/classes.ts";
import { FileButton } from "../ui/FileButton.tsx";
import { useFile } from "../ui/useFile.ts";
import type { Encryption } from "./encryptionPart.ts";
import styles from "./MailReader.module.css";
import { MailView, type ShownMail } from "./MailView.tsx";

interface MailReaderProps {
  readonly encryption: Encryption;
  /** A mail to begin with, as it was kept (RFC 5322). */
  readonly mail?: Uint8Array<ArrayBuffer>;
}

/** Opens a mail with the keys of this device and shows it; nothing of it leaves the device. */
export const MailReader = ({ encryption, mail }: MailReaderProps) => {
  const [shown, setShown] = useState<ShownMail | null>(null);
  const [isOver, setOver] = useState(false);
  const open = useAction(encryption.open, { onSuccess: setShown });
  const { run, forget } = open;
  useEffect(() => {
    if (mail) run(mail);
  }, [mail, run]);
  const file = useFile(
    (chosen) => chosen.arrayBuffer(),
    (content) => run(new Uint8Array(content)),
  );
  const read = (chosen: File | undefined): void => {
    if (chosen === undefined) return;
    forget();
    file.take(chosen);
  };
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    read(event.dataTransfer.files[0]);
  };
  const problem = open.problem;
  const sentence = problem?.fields[0]?.message ?? problem?.sentence ?? "";
  if (shown !== null)
    return (
      <div className={styles.reader}>
        <MailView mail={shown} />
        {mail === undefined && (
          <div>
            <Button onPress={() => setShown(null)}>Open another mail</Button>
          </div>
        )}
      </div>
    );
  return (
    <div className={styles.reader}>
      {mail === undefined && (
        // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a second way; the button in it is for everybody
        <div
          className={classes(styles.drop, isOver && styles.over)}
          onDragOver={(event) => {
            event.preventDefault();
            setOver(true);
          }}
          onDragLeave={() => setOver(false)}
          onDrop={drop}
        >
          <p>
            Drop a mail here that you saved as an .eml file. It is opened on this device and sent nowhere.
          </p>
          <FileButton
            label="Choose an .eml file"
            accept=".eml,message/rfc822"
            onFile={read}
            error={file.error}
            isPending={open.isRunning}
          />
        </div>
      )}
      {mail !== undefined && open.isRunning && <p role="status">Opening the mail…</p>}
      {sentence !== "" && <Banner kind="error">{sentence}</Banner>}
    </div>
  );
};
