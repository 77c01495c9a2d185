import { Button } from "../../ui/Button.tsx";
import { QuietButtons } from "../../ui/layout/layout.tsx";
import styles from "./ResendCode.module.css";

/** Said once another code is sent. */
export const resentText = "A new code is on its way. The one before it no longer works.";

interface ResendCodeProps {
  /** After this many seconds another code can be had. */
  readonly seconds: number;
  readonly isRunning: boolean;
  readonly onResend: () => void;
  readonly onUseOtherEmail: () => void;
}

/** The actions for a code that does not come: have another one sent, or give another address. */
export const ResendCode = ({ seconds, isRunning, onResend, onUseOtherEmail }: ResendCodeProps) => (
  <QuietButtons>
    <Button
      variant="quiet"
      onPress={onResend}
      isPending={isRunning}
      isDisabled={seconds > 0 && !isRunning}
      className={styles.resend}
    >
      {seconds > 0 ? `Resend code in ${seconds} s` : "Resend code"}
    </Button>
    <Button variant="quiet" onPress={onUseOtherEmail}>
      Use a different email
    </Button>
  </QuietButtons>
);
