import { type FormEvent, type ReactNode, useEffect, useRef, useState } from "react";
import type { App } from "../../core/app.ts";
import { fieldMessage } from "../binding/fieldMessage.ts";
import { useAction } from "../binding/useAction.ts";
import { useApp } from "../binding/useApp.ts";
import { useObservable } from "../binding/useObservable.ts";
import { Button } from "../ui/Button.tsx";
import { CodeField } from "../ui/CodeField.tsx";
import styles from "./SignInForm.module.css";

interface CodeFormProps {
  readonly label: string;
  readonly intro: ReactNode;
  /** The name of the field in the answers of the server. */
  readonly field: "otp" | "code";
  readonly verify: App["signIn"]["verifyCode"];
  /** Changes when another code is on its way: what was typed belongs to the old one. */
  readonly generation?: number;
  /** Called when a code was not taken: what was said about it before no longer matters. */
  readonly onProblem?: () => void;
  readonly children: ReactNode;
}

/**
 * Six digits, sent by themselves once they are there. Digits that are complete while another submission still
 * holds the form (SI7) are sent as soon as it lets go, so that a quick paste is not lost.
 */
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
  const isHeld = useObservable(signIn.busy$);
  const [typed, setTyped] = useState({ code: "", generation });
  const [complete, setComplete] = useState<string | null>(null);
  const box = useRef<HTMLInputElement>(null);
  const verification = useAction(verify, {
    onProblem: () => {
      box.current?.select();
      onProblem?.();
    },
  });
  const { run, forget } = verification;
  const code = typed.generation === generation ? typed.code : "";

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new code is typed from the start
  useEffect(() => {
    box.current?.focus();
    forget();
  }, [generation, forget]);

  useEffect(() => {
    if (complete === null || isHeld) return;
    setComplete(null);
    run(complete);
  }, [complete, isHeld, run]);

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    run(code);
  };

  return (
    <form className={styles.form} noValidate onSubmit={submit}>
      <p className={styles.intro}>{intro}</p>
      <CodeField
        ref={box}
        label={label}
        name={field}
        value={code}
        onChange={(digits) => {
          setTyped({ code: digits, generation });
          verification.forget();
        }}
        onComplete={setComplete}
        error={fieldMessage(verification.problem, field) ?? (verification.problem?.sentence || undefined)}
      />
      <Button
        type="submit"
        variant="primary"
        size="large"
        isFullWidth
        isPending={verification.isRunning || complete !== null}
        pendingLabel="Checking…"
      >
        Verify
      </Button>
      {children}
    </form>
  );
};
