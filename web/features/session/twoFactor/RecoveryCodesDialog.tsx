import { useState } from "react";
import type { TwoFactor } from "../../../../core/session/twoFactor/twoFactor.ts";
import type { TwoFactorFlow } from "../../../../core/session/twoFactor/twoFactorFlow.ts";
import { useAction } from "../../../react/useAction.ts";
import { useApp } from "../../../react/useApp.ts";
import { useObservable } from "../../../react/useObservable.ts";
import { Button } from "../../../ui/Button.tsx";
import { CopyButton } from "../../../ui/CopyableText.tsx";
import { saveFile } from "../../../ui/files.tsx";
import { Checkbox } from "../../../ui/form/Checkbox.tsx";
import { DownloadIcon } from "../../../ui/icons/DownloadIcon.tsx";
import { PrintIcon } from "../../../ui/icons/PrintIcon.tsx";
import { ButtonRow } from "../../../ui/layout/layout.tsx";
import { PrintSheet } from "../../../ui/layout/PrintSheet.tsx";
import { Dialog } from "../../../ui/overlay/Dialog.tsx";
import styles from "./RecoveryCodes.module.css";

interface RecoveryCodesDialogProps {
  readonly twoFactor: TwoFactor;
  readonly flow: Extract<TwoFactorFlow, { readonly at: "complete" | "renewed" }>;
  readonly isOpen: boolean;
}

const saveFirstMessage = "Save your recovery codes first, then tick this box.";

/** The last step: shows the recovery codes once and closes after the user confirms that they are saved. */
export const RecoveryCodesDialog = ({ twoFactor, flow, isOpen }: RecoveryCodesDialogProps) => {
  const { configuration } = useApp();
  const copied = useObservable(twoFactor.copied$);
  const copy = useAction(twoFactor.copy);
  const [isReminded, setReminded] = useState(false);
  const { recoveryCodes, areKept } = flow;
  const hasCodes = recoveryCodes.length > 0;
  const list = recoveryCodes.join("\n");
  const close = (): void => {
    setReminded(true);
    twoFactor.close();
  };
  const document = `${configuration.brand} recovery codes\n\nEach works once, in place of a code from your authenticator app.\n\n${list}\n`;
  return (
    <Dialog
      isOpen={isOpen}
      onClose={close}
      onSubmit={close}
      title={flow.at === "complete" ? "Two-factor authentication is on" : "Your new recovery codes"}
      footer={
        <Button type="submit" variant="primary">
          Done
        </Button>
      }
    >
      <div className={styles.body}>
        {!hasCodes && <p>From now on you also need a code from your authenticator app to log in.</p>}
        {hasCodes && (
          <>
            <p>
              Keep these recovery codes in a safe place, apart from your phone. Each replaces your
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
              error={isReminded && !areKept ? saveFirstMessage : undefined}
              isRequired
            />
          </>
        )}
      </div>
    </Dialog>
  );
};
