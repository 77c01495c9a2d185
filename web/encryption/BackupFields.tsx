import { useState } from "react";
import { fieldMessage } from "../binding/fieldMessage.ts";
import { useAction } from "../binding/useAction.ts";
import { useApp } from "../binding/useApp.ts";
import { Button } from "../ui/Button.tsx";
import { ButtonRow } from "../ui/ButtonRow.tsx";
import { DownloadIcon } from "../ui/icons/DownloadIcon.tsx";
import { PrintIcon } from "../ui/icons/PrintIcon.tsx";
import { PrintSheet } from "../ui/PrintSheet.tsx";
import { ProblemBanner } from "../ui/ProblemBanner.tsx";
import { saveFile } from "../ui/saveFile.ts";
import type { Encryption } from "./encryptionPart.ts";
import { PassphraseFields } from "./PassphraseFields.tsx";

interface BackupFieldsProps {
  readonly encryption: Encryption;
  /** The backup was handed over: as a file, or as text on the page. */
  readonly onSaved: () => void;
}

/** The private key to take along: as a file, or as text to print, both behind a passphrase. */
export const BackupFields = ({ encryption, onSaved }: BackupFieldsProps) => {
  const { brand } = useApp().configuration;
  const [draft, setDraft] = useState({ passphrase: "", again: "" });
  const [text, setText] = useState<string | null>(null);
  const download = useAction(encryption.backUp, {
    onSuccess: ({ name, content, type }) => {
      saveFile(name, content, type);
      onSaved();
    },
  });
  const print = useAction(encryption.backUp, {
    onSuccess: ({ content }) => {
      setText(content);
      onSaved();
    },
  });
  const problem = download.problem ?? print.problem;
  const forget = (): void => {
    download.forget();
    print.forget();
  };
  return (
    <>
      <PassphraseFields
        {...draft}
        onChange={(next) => {
          setDraft(next);
          setText(null);
          forget();
        }}
        passphraseError={fieldMessage(problem, "passphrase")}
        againError={fieldMessage(problem, "again")}
      />
      <ProblemBanner problem={problem} />
      <ButtonRow>
        <Button
          icon={<DownloadIcon size={18} />}
          isPending={download.isRunning}
          isDisabled={print.isRunning}
          onPress={() => {
            forget();
            download.run(draft);
          }}
        >
          Download backup
        </Button>
        <Button
          icon={<PrintIcon size={18} />}
          isPending={print.isRunning}
          isDisabled={download.isRunning}
          onPress={() => {
            forget();
            print.run(draft);
          }}
        >
          Show as text to print
        </Button>
      </ButtonRow>
      {text !== null && (
        <>
          <PrintSheet
            textLabel="Backup of your private key"
            note={`${brand}: backup of a private key. It opens with its passphrase alone, which does not stand here.`}
          >
            {text}
          </PrintSheet>
          <ButtonRow>
            <Button icon={<PrintIcon size={18} />} onPress={() => window.print()}>
              Print
            </Button>
          </ButtonRow>
        </>
      )}
    </>
  );
};
