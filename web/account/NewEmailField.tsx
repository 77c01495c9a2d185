import type { Ref } from "react";
import type { Problem } from "../../core/sentences/problem.ts";
import { fieldMessage } from "../binding/fieldMessage.ts";
import { useApp } from "../binding/useApp.ts";
import { useObservable } from "../binding/useObservable.ts";
import { TextField } from "../ui/TextField.tsx";
import styles from "./ChangeEmailWindow.module.css";

interface NewEmailFieldProps {
  readonly email: string;
  readonly onChange: (email: string) => void;
  readonly problem: Problem | null;
  readonly ref: Ref<HTMLInputElement>;
}

/** Which address it is to be. */
export const NewEmailField = ({ email, onChange, problem, ref }: NewEmailFieldProps) => {
  const { session } = useApp();
  const state = useObservable(session.state$);
  return (
    <>
      <p>
        You sign in with{" "}
        <strong className={styles.address}>{state.kind === "signed-in" && state.user.email}</strong>. We send
        a 6-digit code to the new address; nothing changes before you enter it.
      </p>
      <TextField
        ref={ref}
        label="New email address"
        name="email"
        type="email"
        inputMode="email"
        value={email}
        onChange={onChange}
        error={fieldMessage(problem, "email") ?? (problem?.sentence || undefined)}
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
        enterKeyHint="send"
        autoFocus
      />
    </>
  );
};
