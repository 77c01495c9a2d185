import { useApp } from "../binding/useApp.ts";
import { Button } from "../ui/Button.tsx";
import { CodeForm } from "./CodeForm.tsx";
import styles from "./SignInForm.module.css";

/** The step of a user with two-factor authentication: the code from the authenticator. */
export const TwoFactorStep = () => {
  const { signIn } = useApp();
  return (
    <CodeForm
      label="2FA code"
      field="code"
      verify={signIn.verifyTwoFactor}
      intro="Enter the 6-digit code that your authenticator app shows now."
    >
      <div className={styles.ways}>
        <Button variant="quiet" onPress={signIn.useDifferentEmail}>
          Use a different email
        </Button>
      </div>
    </CodeForm>
  );
};
