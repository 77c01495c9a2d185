import { useState } from "react";
import type { Encryption } from "../../../core/encryption/encryption.ts";
import { type PassphraseStrength, passphraseBits, strengthOf } from "../../../core/encryption/passphrase.ts";
import { fieldMessage, useFormAction } from "../../react/useAction.ts";
import { useApp } from "../../react/useApp.ts";
import { Button } from "../../ui/Button.tsx";
import { classes } from "../../ui/classes.ts";
import { ProblemBanner } from "../../ui/feedback/ProblemBanner.tsx";
import { saveFile } from "../../ui/files.tsx";
import { Checkbox } from "../../ui/form/Checkbox.tsx";
import { TextField } from "../../ui/form/TextField.tsx";
import { DownloadIcon } from "../../ui/icons/DownloadIcon.tsx";
import { PrintIcon } from "../../ui/icons/PrintIcon.tsx";
import { ButtonRow } from "../../ui/layout/layout.tsx";
import { PrintSheet } from "../../ui/layout/PrintSheet.tsx";
import styles from "./Encryption.module.css";

const strengthTexts: Readonly<Record<PassphraseStrength, string>> = {
  "too-weak": "Too easy to guess",
  fair: "Fair",
  strong: "Strong, if it is not a quotation",
};

/** Bits of entropy at which the strength meter is full. */
const fullBits = 80;

const Strength = ({ passphrase }: { readonly passphrase: string }) => {
  const strength = strengthOf(passphrase);
  const percent = Math.min(100, (100 * passphraseBits(passphrase)) / fullBits);
  return (
    <div className={styles.strength}>
      <span className={styles.meter} aria-hidden="true">
        <span
          className={classes(strength !== "too-weak" && styles[strength])}
          style={{ width: `${percent}%` }}
        />
      </span>
      <span role="status">{passphrase === "" ? "" : `Strength: ${strengthTexts[strength]}`}</span>
    </div>
  );
};

interface PassphraseFieldsProps {
  readonly passphrase: string;
  readonly again: string;
  readonly onChange: (draft: { readonly passphrase: string; readonly again: string }) => void;
  readonly passphraseError?: string | undefined;
  readonly againError?: string | undefined;
}

const PassphraseFields = (props: PassphraseFieldsProps) => {
  const { passphrase, again, onChange } = props;
  const [isShown, setShown] = useState(false);
  const type = isShown ? "text" : "password";
  return (
    <>
      <TextField
        label="Passphrase for the backup"
        name="passphrase"
        type={type}
        description="Four or more unrelated words are strong and easy to remember. Nobody can reset it."
        value={passphrase}
        onChange={(value) => onChange({ passphrase: value, again })}
        error={props.passphraseError}
        autoComplete="new-password"
        autoCapitalize="none"
        spellCheck={false}
      />
      <Strength passphrase={passphrase} />
      <TextField
        label="Passphrase again"
        name="again"
        type={type}
        value={again}
        onChange={(value) => onChange({ passphrase, again: value })}
        error={props.againError}
        autoComplete="new-password"
        autoCapitalize="none"
        spellCheck={false}
      />
      <Checkbox label="Show passphrase" isChecked={isShown} onChange={setShown} />
    </>
  );
};

interface BackupFieldsProps {
  readonly encryption: Encryption;
  /** Called when the backup was downloaded or shown as text. */
  readonly onSaved: () => void;
}

/** Exports the private key, protected by a passphrase, as a file or as text to print. */
export const BackupFields = ({ encryption, onSaved }: BackupFieldsProps) => {
  const { brand } = useApp().configuration;
  const [draft, setDraft] = useState({ passphrase: "", again: "" });
  const [text, setText] = useState<string | null>(null);
  const download = useFormAction(encryption.backUp, {
    onSuccess: ({ name, content, type }) => {
      saveFile(name, content, type);
      onSaved();
    },
  });
  const print = useFormAction(encryption.backUp, {
    onSuccess: ({ content }) => {
      setText(content);
      onSaved();
    },
  });
  const problem = download.problem ?? print.problem;
  const clearProblems = (): void => {
    download.clearProblem();
    print.clearProblem();
  };
  return (
    <>
      <PassphraseFields
        {...draft}
        onChange={(next) => {
          setDraft(next);
          setText(null);
          clearProblems();
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
            clearProblems();
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
            clearProblems();
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
            note={`${brand}: backup of a private key. It opens only with its passphrase, which is not printed here.`}
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
