import { type FormEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { sellsPlans } from "../../../../core/api/configuration.ts";
import { codeDigits } from "../../../../core/api/textCodecs.ts";
import { fieldMessage, useAction, useFormAction } from "../../../react/useAction.ts";
import { useApp } from "../../../react/useApp.ts";
import { Button } from "../../../ui/Button.tsx";
import { TextField } from "../../../ui/form/TextField.tsx";
import styles from "./SignInForm.module.css";

/** The intention of the visitor. The form is the same, and a new address chooses a plan in both cases. */
export type Intention = "log-in" | "subscribe";

interface EmailStepProps {
  readonly initialEmail: string;
  readonly intention: Intention;
  readonly onIntentionChange: (intention: Intention) => void;
  /** The text for what the page was opened with, above the form. */
  readonly arrival: ReactNode;
  /** Other ways in. */
  readonly children: ReactNode;
}

const texts = {
  "log-in": {
    intro: `Enter your email address to get a ${codeDigits}-digit code. There is no password.`,
    submit: "Log in",
    pending: "Sending code…",
    question: (brand: string) => `New to ${brand}?`,
    other: "Subscribe",
  },
  subscribe: {
    intro: `Confirm your email address with a ${codeDigits}-digit code, then choose a plan. One of them is free.`,
    submit: "Subscribe",
    pending: "Sending code…",
    question: () => "Have an account already?",
    other: "Log in",
  },
} as const;

/** The texts where no plans are sold: who is new there has nothing to choose. */
const textsWithoutPlans = {
  "log-in": { ...texts["log-in"], other: "Create an account" },
  subscribe: {
    ...texts.subscribe,
    intro: `Confirm your email address with a ${codeDigits}-digit code, and your account is ready.`,
    submit: "Create account",
  },
} as const;

/** The first step: the address that the code is sent to. */
export const EmailStep = ({
  initialEmail,
  intention,
  onIntentionChange,
  arrival,
  children,
}: EmailStepProps) => {
  const { signIn, configuration } = useApp();
  const [email, setEmail] = useState(initialEmail);
  const field = useRef<HTMLInputElement>(null);
  const request = useFormAction(signIn.requestCode, { onProblem: () => field.current?.focus() });
  const enterCode = useAction(signIn.enterCode);
  const failure = request.problem?.failure;
  const isLimited = failure?.kind === "refused" && failure.status === 429;
  const pendingCodeFor = signIn.pendingCodeFor();
  const text = (sellsPlans(configuration) ? texts : textsWithoutPlans)[intention];
  useEffect(() => field.current?.focus(), []);

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    request.run(email);
  };

  const change = (typed: string): void => {
    setEmail(typed);
    request.clearProblem();
  };

  return (
    <form className={styles.form} noValidate onSubmit={submit}>
      {arrival}
      <p className={styles.intro}>{text.intro}</p>
      <TextField
        ref={field}
        label="Email address"
        type="email"
        inputMode="email"
        name="email"
        autoComplete="username webauthn"
        autoCapitalize="none"
        spellCheck={false}
        enterKeyHint="send"
        isRequired
        value={email}
        onChange={change}
        error={fieldMessage(request.problem, "email") ?? (request.problem?.message || undefined)}
      />
      <Button
        type="submit"
        variant="primary"
        size="large"
        isFullWidth
        isPending={request.isRunning}
        pendingLabel={text.pending}
      >
        {text.submit}
      </Button>
      {isLimited && (
        <Button size="large" isFullWidth onPress={() => enterCode.run(email)}>
          Enter the code you have
        </Button>
      )}
      {!isLimited && pendingCodeFor !== null && (
        <Button size="large" isFullWidth onPress={() => enterCode.run(pendingCodeFor)}>
          I have a code
        </Button>
      )}
      {children}
      <p className={styles.other}>{text.question(configuration.brand)}</p>
      <Button
        size="large"
        isFullWidth
        onPress={() => {
          onIntentionChange(intention === "log-in" ? "subscribe" : "log-in");
          request.clearProblem();
          field.current?.focus();
        }}
      >
        {text.other}
      </Button>
    </form>
  );
};
