import { type FormEvent, type ReactNode, useRef, useState } from "react";
import { codeDigits } from "../../../../core/api/textCodecs.ts";
import { withRecoveryCode } from "../../../../core/session/twoFactor/recoveryCode.ts";
import { fieldMessage, useFormAction } from "../../../react/useAction.ts";
import { useApp } from "../../../react/useApp.ts";
import { Button } from "../../../ui/Button.tsx";
import { TextField } from "../../../ui/form/TextField.tsx";
import { QuietButtons } from "../../../ui/layout/layout.tsx";
import { CodeForm } from "./CodeForm.tsx";
import styles from "./SignInForm.module.css";

interface RecoveryCodeFormProps {
  readonly children: ReactNode;
}

/** The form for a recovery code, which replaces a lost authenticator. */
const RecoveryCodeForm = ({ children }: RecoveryCodeFormProps) => {
  const { signIn } = useApp();
  const [code, setCode] = useState("");
  const box = useRef<HTMLInputElement>(null);
  const verification = useFormAction(withRecoveryCode(signIn.verifyTwoFactor), {
    onProblem: () => box.current?.select(),
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    verification.run(code);
  };
  return (
    <form className={styles.form} noValidate onSubmit={submit}>
      <p className={styles.intro}>
        Enter one of the recovery codes that you saved when you switched on two-factor authentication. Each
        works once.
      </p>
      <TextField
        ref={box}
        label="Recovery code"
        name="code"
        value={code}
        onChange={(typed) => {
          setCode(typed);
          verification.clearProblem();
        }}
        error={fieldMessage(verification.problem, "code") ?? (verification.problem?.message || undefined)}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        isMonospace
        autoFocus
      />
      <Button
        type="submit"
        variant="primary"
        size="large"
        isFullWidth
        isPending={verification.isRunning}
        pendingLabel="Checking…"
      >
        Verify
      </Button>
      {children}
    </form>
  );
};

/** The step for users with two-factor authentication: a code from the authenticator app or a recovery code. */
export const TwoFactorStep = () => {
  const { signIn } = useApp();
  const [isRecovering, setRecovering] = useState(false);
  const otherOptions = (
    <QuietButtons>
      <Button variant="quiet" onPress={() => setRecovering(!isRecovering)}>
        {isRecovering ? "Use your authenticator app" : "Use a recovery code"}
      </Button>
      <Button variant="quiet" onPress={signIn.useDifferentEmail}>
        Use a different email
      </Button>
    </QuietButtons>
  );
  if (isRecovering) return <RecoveryCodeForm>{otherOptions}</RecoveryCodeForm>;
  return (
    <CodeForm
      label="2FA code"
      field="code"
      verify={signIn.verifyTwoFactor}
      intro={`Enter the ${codeDigits}-digit code that your authenticator app shows now.`}
    >
      {otherOptions}
    </CodeForm>
  );
};
