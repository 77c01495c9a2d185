import { type Ref, useEffect, useRef, useState } from "react";
import type { Profile } from "../../../core/account/profile.ts";
import type { Problem } from "../../../core/api/errorMessages.ts";
import { codeDigits } from "../../../core/api/textCodecs.ts";
import { fieldMessage, useFormAction } from "../../react/useAction.ts";
import { useApp } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";
import { TextField } from "../../ui/form/TextField.tsx";
import { FormDialog } from "../../ui/overlay/FormDialog.tsx";
import { ChangeEmailCode } from "./ChangeEmailCode.tsx";
import styles from "./ChangeEmailDialog.module.css";

interface NewEmailFieldProps {
  readonly email: string;
  readonly onChange: (email: string) => void;
  readonly problem: Problem | null;
  readonly ref: Ref<HTMLInputElement>;
}

const NewEmailField = ({ email, onChange, problem, ref }: NewEmailFieldProps) => {
  const { session } = useApp();
  const state = useObservable(session.state$);
  return (
    <>
      <p>
        You log in with{" "}
        <strong className={styles.address}>{state.kind === "signed-in" && state.user.email}</strong>. A
        {codeDigits}-digit code is sent to the new address; nothing changes before you enter it.
      </p>
      <TextField
        ref={ref}
        label="New email address"
        name="email"
        type="email"
        inputMode="email"
        value={email}
        onChange={onChange}
        error={fieldMessage(problem, "email") ?? (problem?.message || undefined)}
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
        enterKeyHint="send"
        autoFocus
      />
    </>
  );
};

interface ChangeEmailDialogProps {
  readonly profile: Profile;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

const emptyDraft = { email: "", code: "", twoFactorCode: "", moveMasks: true };

/** Changes the email address in two steps: the new address, then the code sent to it. Closing and reopening keeps the step. */
export const ChangeEmailDialog = ({ profile, isOpen, onClose }: ChangeEmailDialogProps) => {
  const progress = useObservable(profile.step$);
  const [draft, setDraft] = useState(emptyDraft);
  const emailInput = useRef<HTMLInputElement>(null);
  const request = useFormAction(profile.request, { onProblem: () => emailInput.current?.select() });
  const confirm = useFormAction(profile.confirm, { onSuccess: onClose });
  const isRunning = request.isRunning || confirm.isRunning;
  const change = (next: Partial<typeof draft>): void => {
    setDraft({ ...draft, ...next });
    request.clearProblem();
    confirm.clearProblem();
  };
  useEffect(() => {
    if (!isOpen || profile.step$.value.step !== "done") return;
    profile.startOver();
    setDraft(emptyDraft);
  }, [isOpen, profile]);

  return (
    <FormDialog
      isOpen={isOpen}
      onClose={onClose}
      title="Change your email"
      isPending={isRunning}
      onSubmit={() => (progress.step === "address" ? request.run(draft.email) : confirm.run(draft))}
      {...(progress.step === "address"
        ? { submitLabel: "Send code", pendingLabel: "Sending code…" }
        : { submitLabel: "Change email", pendingLabel: "Changing…" })}
    >
      <div className={styles.body}>
        {progress.step === "address" ? (
          <NewEmailField
            ref={emailInput}
            email={draft.email}
            onChange={(email) => change({ email })}
            problem={request.problem}
          />
        ) : (
          <ChangeEmailCode
            profile={profile}
            email={progress.email}
            draft={draft}
            onChange={change}
            problem={confirm.problem}
            onUseOtherEmail={() => {
              change({ code: "", twoFactorCode: "" });
              profile.startOver();
            }}
          />
        )}
      </div>
    </FormDialog>
  );
};
