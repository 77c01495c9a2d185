import { useState } from "react";
import { useApp } from "../binding/useApp.ts";
import { Button } from "../ui/Button.tsx";
import { CodeForm } from "./CodeForm.tsx";
import { RecoveryCodeForm } from "./RecoveryCodeForm.tsx";
import styles from "./SignInForm.module.css";

/** The step of a user with two-factor authentication: the code from the authenticator, or a recovery code. */
export const TwoFactorStep = () => {
  const { signIn } = useApp();
  const [isRecovering, setRecovering] = useState(false);
  const ways = (
    <div className={styles.ways}>
      <Button variant="quiet" onPress={() => setRecovering(!isRecovering)}>
        {isRecovering ? "Use your authenticator app" : "Use a recovery code"}
      </Button>
      <Button variant="quiet" onPress={signIn.useDifferentEmail}>
        Use a different email
      </Button>
    </div>
  );
  if (isRecovering) return <RecoveryCodeForm>{ways}</RecoveryCodeForm>;
  return (
    <CodeForm
      label="2FA code"
      field="code"
      verify={signIn.verifyTwoFactor}
      intro="Enter the 6-digit code that your authenticator app shows now."
    >
      {ways}
    </CodeForm>
  );
};
