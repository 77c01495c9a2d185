import { useAction } from "../binding/useAction.ts";
import { Button } from "../ui/Button.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { ProblemBanner } from "../ui/ProblemBanner.tsx";
import styles from "./TwoFactorWindow.module.css";
import type { TwoFactor } from "./twoFactorPart.ts";

interface IntroWindowProps {
  readonly twoFactor: TwoFactor;
  readonly isOpen: boolean;
}

/** What two-factor authentication is and what it takes. */
export const IntroWindow = ({ twoFactor, isOpen }: IntroWindowProps) => {
  const generate = useAction(twoFactor.generate);
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
        <p>
          From then on signing in takes two codes: the one that comes by mail, and one that an authenticator
          app shows on your phone.
        </p>
        <ol className={styles.steps}>
          <li>Have an authenticator app ready. Any of them will do, and so will most password managers.</li>
          <li>Scan a QR code with it, and enter the code that it shows.</li>
          <li>Keep ten recovery codes in a safe place, for the day your phone is lost.</li>
        </ol>
        <ProblemBanner problem={generate.problem} />
      </div>
    </Dialog>
  );
};
