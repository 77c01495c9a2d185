import { codeDigits } from "../../../../core/api/textCodecs.ts";
import { recoveryCodeCount } from "../../../../core/session/twoFactor/recoveryCode.ts";
import type { TwoFactor } from "../../../../core/session/twoFactor/twoFactor.ts";
import type { Secret } from "../../../../core/session/twoFactor/twoFactorFlow.ts";
import { useAction, useFormAction } from "../../../react/useAction.ts";
import { useObservable } from "../../../react/useObservable.ts";
import { Button } from "../../../ui/Button.tsx";
import { CopyableText } from "../../../ui/CopyableText.tsx";
import { ProblemBanner } from "../../../ui/feedback/ProblemBanner.tsx";
import { CodeField } from "../../../ui/form/CodeField.tsx";
import { Dialog } from "../../../ui/overlay/Dialog.tsx";
import { QrPicture } from "../../../ui/QrPicture.tsx";
import styles from "./TwoFactorDialog.module.css";
import { useCodeForm } from "./useCodeForm.ts";

interface IntroDialogProps {
  readonly twoFactor: TwoFactor;
  readonly isOpen: boolean;
}

/** The first setup step: explains two-factor authentication. */
export const IntroDialog = ({ twoFactor, isOpen }: IntroDialogProps) => {
  const generate = useFormAction(twoFactor.generate);
  return (
    <Dialog
      isOpen={isOpen}
      onClose={twoFactor.close}
      title="Set up two-factor authentication"
      isPending={generate.isRunning}
      onSubmit={() => generate.run()}
      footer={
        <>
          <Button onPress={twoFactor.close} isDisabled={generate.isRunning}>
            Cancel
          </Button>
          <Button type="submit" variant="primary" isPending={generate.isRunning} autoFocus>
            Continue
          </Button>
        </>
      }
    >
      <div className={styles.body}>
        <p>You then log in with two codes: one by mail, and one from an authenticator app on your phone.</p>
        <ol className={styles.steps}>
          <li>Have an authenticator app ready. Any of them works, and so do most password managers.</li>
          <li>Scan the QR code with it, then enter the code that it shows.</li>
          <li>Keep {recoveryCodeCount} recovery codes in a safe place, for the day your phone is lost.</li>
        </ol>
        <ProblemBanner problem={generate.problem} />
      </div>
    </Dialog>
  );
};

/** Edge length of the QR code in CSS pixels (SG2). */
const qrPixels = 200;

interface ScanDialogProps {
  readonly twoFactor: TwoFactor;
  readonly secret: Secret;
  readonly isOpen: boolean;
}

const groupByFour = (secret: string): string => secret.match(/.{1,4}/g)?.join(" ") ?? secret;

/** The second setup step: the secret as a QR code and as text, and the field for the first code. */
export const ScanDialog = ({ twoFactor, secret, isOpen }: ScanDialogProps) => {
  const copied = useObservable(twoFactor.copied$);
  const verify = useCodeForm(twoFactor.verify);
  const copy = useAction(twoFactor.copy);
  const { qrCode } = secret;
  return (
    <Dialog
      isOpen={isOpen}
      onClose={twoFactor.close}
      title="Scan the QR code"
      isPending={verify.isRunning}
      onSubmit={verify.submit}
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
            ? "Scan this with your authenticator app, or type the key into it."
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
            shown={groupByFour(secret.secret)}
            label="Copy secret key"
            isCopied={copied === secret.secret}
            onCopy={() => copy.run(secret.secret)}
          />
        </div>
        <CodeField
          length={codeDigits}
          {...verify.field}
          label="Verification code"
          description={`The ${codeDigits} digits that your authenticator app shows now.`}
        />
      </div>
    </Dialog>
  );
};
