import { type FormEvent, type ReactNode, useRef, useState } from "react";
import { asRecoveryCode } from "../../core/session/recoveryCode.ts";
import { fieldMessage } from "../binding/fieldMessage.ts";
import { useAction } from "../binding/useAction.ts";
import { useApp } from "../binding/useApp.ts";
import { Button } from "../ui/Button.tsx";
import { TextField } from "../ui/TextField.tsx";
import styles from "./SignInForm.module.css";

interface RecoveryCodeFormProps {
  readonly children: ReactNode;
}

/** For somebody whose authenticator is lost: one of the codes that were kept for that. */
export const RecoveryCodeForm = ({ children }: RecoveryCodeFormProps) => {
  const { signIn } = useApp();
  const [code, setCode] = useState("");
  const box = useRef<HTMLInputElement>(null);
  const verification = useAction(asRecoveryCode(signIn.verifyTwoFactor), {
    onProblem: () => box.current?.select(),
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    verification.run(code);
  };
  return (
    <form className={styles.form} noValidate onSubmit={submit}>
      <p className={styles.intro}>
        Enter one of the recovery codes that you saved when you turned on two-factor authentication. Each
        works once.
      </p>
      <TextField
        ref={box}
        label="Recovery code"
        name="code"
        value={code}
        onChange={(typed) => {
          setCode(typed);
          verification.forget();
        }}
        error={fieldMessage(verification.problem, "code") ?? (verification.problem?.sentence || undefined)}
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
