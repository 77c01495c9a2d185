import { useState } from "react";
import type { TwoFactorFlow } from "../../core/twoFactor/twoFactorFlow.ts";
import { useAction } from "../binding/useAction.ts";
import { useApp } from "../binding/useApp.ts";
import { useObservable } from "../binding/useObservable.ts";
import { Button } from "../ui/Button.tsx";
import { ButtonRow } from "../ui/ButtonRow.tsx";
import { Checkbox } from "../ui/Checkbox.tsx";
import { CopyButton } from "../ui/CopyButton.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { DownloadIcon } from "../ui/icons/DownloadIcon.tsx";
import { PrintIcon } from "../ui/icons/PrintIcon.tsx";
import { PrintSheet } from "../ui/PrintSheet.tsx";
import { saveFile } from "../ui/saveFile.ts";
import styles from "./RecoveryCodes.module.css";
import type { TwoFactor } from "./twoFactorPart.ts";

interface RecoveryCodesWindowProps {
  readonly twoFactor: TwoFactor;
  readonly given: Extract<TwoFactorFlow, { readonly at: "complete" | "renewed" }>;
  readonly isOpen: boolean;
}

const mustBeKept = "Please save your recovery codes first, then tick this box.";

/** It is done; the recovery codes stand here once, and go when the user has said that they are kept. */
export const RecoveryCodesWindow = ({ twoFactor, given, isOpen }: RecoveryCodesWindowProps) => {
  const { configuration } = useApp();
  const copied = useObservable(twoFactor.copied$);
  const copy = useAction(twoFactor.copy);
  const [isReminded, setReminded] = useState(false);
  const { recoveryCodes, areKept } = given;
  const hasCodes = recoveryCodes.length > 0;
  const list = recoveryCodes.join("\n");
  const leave = (): void => {
    setReminded(true);
    twoFactor.close();
  };
  const document = `${configuration.brand} recovery codes\n\nEach works once, in place of a code from your authenticator app.\n\n${list}\n`;
  return (
    <Dialog
      isOpen={isOpen}
      onClose={leave}
      onSubmit={leave}
      title={given.at === "complete" ? "Two-factor authentication is on" : "Your new recovery codes"}
      footer={
        <Button type="submit" variant="primary">
          Done
        </Button>
      }
    >
      <div className={styles.body}>
        {!hasCodes && <p>From now on signing in takes a code from your authenticator app, too.</p>}
        {hasCodes && (
          <>
            <p>
              Keep these recovery codes in a safe place, apart from your phone. Each stands in for your
              authenticator app once. They are not shown again.
            </p>
            <PrintSheet note={`${configuration.brand} recovery codes. Each works once.`}>
              <ul className={styles.codes} aria-label="Recovery codes">
                {recoveryCodes.map((code) => (
                  <li key={code}>{code}</li>
                ))}
              </ul>
            </PrintSheet>
            <ButtonRow>
              <span>
                <CopyButton label="Copy" isCopied={copied === list} onCopy={() => copy.run(list)} />
              </span>
              <Button
                icon={<DownloadIcon size={18} />}
                onPress={() => saveFile(`${configuration.brand.toLowerCase()}-recovery-codes.txt`, document)}
              >
                Download
              </Button>
              <Button icon={<PrintIcon size={18} />} onPress={() => window.print()}>
                Print
              </Button>
            </ButtonRow>
            <Checkbox
              label="I have saved my recovery codes"
              isChecked={areKept}
              onChange={twoFactor.setKept}
              error={isReminded && !areKept ? mustBeKept : undefined}
              isRequired
            />
          </>
        )}
      </div>
    </Dialog>
  );
};
