import { type FormEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { codeDigits } from "../../../../core/api/textCodecs.ts";
import type { App } from "../../../../core/app/createApp.ts";
import { fieldMessage, useFormAction } from "../../../react/useAction.ts";
import { useApp } from "../../../react/useApp.ts";
import { useObservable } from "../../../react/useObservable.ts";
import { Button } from "../../../ui/Button.tsx";
import { CodeField } from "../../../ui/form/CodeField.tsx";
import styles from "./SignInForm.module.css";

interface CodeFormProps {
  readonly label: string;
  readonly intro: ReactNode;
  /** The name of the field in the server's error responses. */
  readonly field: "otp" | "code";
  readonly verify: App["signIn"]["verifyCode"];
  /** Changes when a new code has been sent, which clears the field. */
  readonly generation?: number;
  readonly onProblem?: () => void;
  readonly children: ReactNode;
}

/** A form for a 6-digit code that submits itself when complete, or as soon as a running submission ends (SI7). */
export const CodeForm = ({
  label,
  intro,
  field,
  verify,
  generation = 0,
  onProblem,
  children,
}: CodeFormProps) => {
  const { signIn } = useApp();
  const isBusy = useObservable(signIn.busy$);
  /** `refused`: what was typed last in place of a code; it is checked like one, so that the form says what is wrong. */
  const [typed, setTyped] = useState({ code: "", refused: "", generation });
  const [completedCode, setCompletedCode] = useState<string | null>(null);
  const box = useRef<HTMLInputElement>(null);
  const verification = useFormAction(verify, {
    onProblem: () => {
      box.current?.select();
      onProblem?.();
    },
  });
  const { run, clearProblem } = verification;
  const { code, refused } = typed.generation === generation ? typed : { code: "", refused: "" };

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new code starts with an empty field
  useEffect(() => {
    box.current?.focus();
    clearProblem();
  }, [generation, clearProblem]);

  useEffect(() => {
    if (completedCode === null || isBusy) return;
    setCompletedCode(null);
    run(completedCode);
  }, [completedCode, isBusy, run]);

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    run(code === "" ? refused : code);
  };

  return (
    <form className={styles.form} noValidate onSubmit={submit}>
      <p className={styles.intro}>{intro}</p>
      <CodeField
        length={codeDigits}
        ref={box}
        label={label}
        name={field}
        value={code}
        onChange={(digits) => {
          setTyped({ code: digits, refused: "", generation });
          verification.clearProblem();
        }}
        onRefused={(text) => {
          setTyped({ code: "", refused: text, generation });
          verification.clearProblem();
        }}
        onComplete={setCompletedCode}
        error={fieldMessage(verification.problem, field) ?? (verification.problem?.message || undefined)}
      />
      <Button
        type="submit"
        variant="primary"
        size="large"
        isFullWidth
        isPending={verification.isRunning || completedCode !== null}
        pendingLabel="Checking…"
      >
        Verify
      </Button>
      {children}
    </form>
  );
};
