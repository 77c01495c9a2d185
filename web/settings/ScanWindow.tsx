import { useRef, useState } from "react";
import type { Secret } from "../../core/twoFactor/twoFactorFlow.ts";
import { fieldMessage } from "../binding/fieldMessage.ts";
import { useAction } from "../binding/useAction.ts";
import { useObservable } from "../binding/useObservable.ts";
import { Button } from "../ui/Button.tsx";
import { CodeField } from "../ui/CodeField.tsx";
import { CopyableText } from "../ui/CopyableText.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { QrPicture } from "../ui/QrPicture.tsx";
import styles from "./TwoFactorWindow.module.css";
import type { TwoFactor } from "./twoFactorPart.ts";

/** CSS pixels on each side (SG2). */
const qrPixels = 200;

interface ScanWindowProps {
  readonly twoFactor: TwoFactor;
  readonly secret: Secret;
  readonly isOpen: boolean;
}

const inFours = (secret: string): string => secret.match(/.{1,4}/g)?.join(" ") ?? secret;

/** The QR code for the authenticator, the same to type, and the first code it shows. */
export const ScanWindow = ({ twoFactor, secret, isOpen }: ScanWindowProps) => {
  const copied = useObservable(twoFactor.copied$);
  const [code, setCode] = useState("");
  const box = useRef<HTMLInputElement>(null);
  const verify = useAction(twoFactor.verify, { onProblem: () => box.current?.select() });
  const copy = useAction(twoFactor.copy);
  const { qrCode } = secret;
  return (
    <Dialog
      isOpen={isOpen}
      onClose={twoFactor.close}
      title="Scan the QR code"
      isPending={verify.isRunning}
      onSubmit={() => verify.run(code)}
      footer={
        <>
          <Button onPress={twoFactor.back} isDisabled={verify.isRunning}>
            Back
          </Button>
          <Button type="submit" variant="primary" isPending={verify.isRunning} pendingLabel="Verifying…">
            Verify &amp; Activate
          </Button>
        </>
      }
    >
      <div className={styles.body}>
        <p>
          {qrCode
            ? "Scan this with your authenticator app. If you cannot, type the key into it."
            : "The QR code could not be drawn. Type this key into your authenticator app."}
        </p>
        {qrCode && (
          <div className={styles.qr}>
            <QrPicture label="QR code for your authenticator app" pixels={qrPixels} {...qrCode} />
          </div>
        )}
        <div className={styles.key}>
          <span className={styles.label}>Secret key</span>
          <CopyableText
            text={secret.secret}
            shown={inFours(secret.secret)}
            label="Copy secret key"
            isCopied={copied === secret.secret}
            onCopy={() => copy.run(secret.secret)}
          />
        </div>
        <CodeField
          ref={box}
          label="Verification code"
          name="code"
          description="The 6 digits that your authenticator app shows now."
          value={code}
          onChange={(digits) => {
            setCode(digits);
            verify.forget();
          }}
          error={fieldMessage(verify.problem, "code") ?? (verify.problem?.sentence || undefined)}
        />
      </div>
    </Dialog>
  );
};
