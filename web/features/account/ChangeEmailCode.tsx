import { useState } from "react";
import type { Profile } from "../../../core/account/profile.ts";
import type { Problem } from "../../../core/api/errorMessages.ts";
import { codeDigits } from "../../../core/api/textCodecs.ts";
import { fieldMessage, useFormAction } from "../../react/useAction.ts";
import { useSignedIn } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";
import { ProblemBanner } from "../../ui/feedback/ProblemBanner.tsx";
import { Checkbox } from "../../ui/form/Checkbox.tsx";
import { CodeField } from "../../ui/form/CodeField.tsx";
import { ResendCode, resentText } from "../session/ResendCode.tsx";
import { TwoFactorCodeField } from "../session/twoFactor/TwoFactorCodeField.tsx";
import styles from "./ChangeEmailDialog.module.css";

interface CodeDraft {
  readonly code: string;
  readonly twoFactorCode: string;
  readonly moveMasks: boolean;
}

interface ChangeEmailCodeProps {
  readonly profile: Profile;
  readonly email: string;
  readonly draft: CodeDraft;
  readonly onChange: (next: Partial<CodeDraft>) => void;
  readonly problem: Problem | null;
  readonly onUseOtherEmail: () => void;
}

const maskPhrase = (count: number): string =>
  count === 1 ? "Your mask that forwards" : `Your ${count} masks that forward`;

/** Asks for the code sent to the new address and whether masks forward to that address from now on. */
export const ChangeEmailCode = ({
  profile,
  email,
  draft,
  onChange,
  problem,
  onUseOtherEmail,
}: ChangeEmailCodeProps) => {
  const signedIn = useSignedIn();
  const account = useObservable(signedIn.account.account$);
  const { all } = useObservable(signedIn.masks.view$);
  const progress = useObservable(profile.step$);
  const seconds = progress.step === "code" ? progress.resendInSeconds : 0;
  const [isResent, setResent] = useState(false);
  const resend = useFormAction(profile.resend, {
    onSuccess: () => {
      onChange({ code: "" });
      setResent(true);
    },
    onProblem: () => setResent(false),
  });
  const oldEmail = account?.email.toLowerCase();
  const count = all.filter(({ forwardTo }) => forwardTo?.toLowerCase() === oldEmail).length;
  return (
    <>
      <p>
        Enter the {codeDigits}-digit code sent to <strong className={styles.address}>{email}</strong>. After
        that you log in with this address, and the old one gets an email about the change.
      </p>
      <CodeField
        length={codeDigits}
        label="Verification code"
        name="code"
        value={draft.code}
        onChange={(code) => onChange({ code })}
        error={fieldMessage(problem, "code")}
        autoFocus
      />
      {account?.twoFactor.enabled && (
        <TwoFactorCodeField
          name="twoFactorCode"
          value={draft.twoFactorCode}
          onChange={(twoFactorCode) => onChange({ twoFactorCode })}
          error={fieldMessage(problem, "twoFactorCode")}
        />
      )}
      {count > 0 && (
        <Checkbox
          name="moveMasks"
          label={`${maskPhrase(count)} to the old address should forward to the new one`}
          description="Rules that name an address keep it."
          isChecked={draft.moveMasks}
          onChange={(moveMasks) => onChange({ moveMasks })}
        />
      )}
      {account?.subscription.isPaid && (
        <p className={styles.note}>Invoices go to the old address until you change it under Manage Plan.</p>
      )}
      <ProblemBanner problem={problem} />
      <ResendCode
        seconds={seconds}
        isRunning={resend.isRunning}
        onResend={resend.run}
        onUseOtherEmail={onUseOtherEmail}
      />
      <p className={styles.note} role="status">
        {resend.problem?.message || (isResent && resentText)}
      </p>
    </>
  );
};
