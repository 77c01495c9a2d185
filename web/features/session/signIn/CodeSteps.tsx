import { useState } from "react";
import { sellsPlans } from "../../../../core/api/configuration.ts";
import { codeDigits } from "../../../../core/api/textCodecs.ts";
import { createAfterCode } from "../../../../core/passkeys/afterCode.ts";
import { useFormAction } from "../../../react/useAction.ts";
import { useApp } from "../../../react/useApp.ts";
import { useObservable } from "../../../react/useObservable.ts";
import { ResendCode, resentText } from "../ResendCode.tsx";
import { CodeForm } from "./CodeForm.tsx";
import type { Intention } from "./EmailStep.tsx";
import styles from "./SignInForm.module.css";
import { TwoFactorStep } from "./TwoFactorStep.tsx";

interface CodeStepProps {
  readonly email: string;
  readonly intention: Intention;
}

/** The second step: the code from the mail, which can be resent after the countdown (SI5, SI6). */
const CodeStep = ({ email, intention }: CodeStepProps) => {
  const { signIn, configuration } = useApp();
  const state = useObservable(signIn.step$);
  const connects = state.step === "code" && state.connects === true;
  const provider = configuration.singleSignOn?.name ?? "your provider";
  const seconds = state.step === "code" ? state.resendInSeconds : 0;
  const isCodeUsed = state.step === "code" && state.isCodeUsed === true;
  const [resendCount, setResendCount] = useState(0);
  const [isResendConfirmed, setResendConfirmed] = useState(false);
  const resend = useFormAction(signIn.resend, {
    onSuccess: () => {
      setResendCount((count) => count + 1);
      setResendConfirmed(true);
    },
    onProblem: () => setResendConfirmed(false),
  });

  return (
    <CodeForm
      label="Verification code"
      field="otp"
      verify={signIn.verifyCode}
      generation={resendCount}
      onProblem={() => {
        setResendConfirmed(false);
        resend.clearProblem();
      }}
      intro={
        <>
          {isCodeUsed && "This code was already used, and works only once. Press Resend code for a new one. "}
          Enter the {codeDigits}-digit code sent to <strong className={styles.address}>{email}</strong>.
          {connects &&
            ` It connects your account with ${provider}: next time you log in there without a code.`}
          {intention === "subscribe" &&
            (sellsPlans(configuration) ? " Then you choose a plan." : " Then you create your account.")}
        </>
      }
    >
      <ResendCode
        seconds={seconds}
        isRunning={resend.isRunning}
        onResend={resend.run}
        onUseOtherEmail={signIn.useDifferentEmail}
      />
      <p className={styles.note} role="status">
        {resend.problem ? (
          <span className={styles.failure}>{resend.problem.message}</span>
        ) : (
          isResendConfirmed && resentText
        )}
      </p>
    </CodeForm>
  );
};

interface CodeStepsProps {
  readonly intention: Intention;
}

/** The steps with a code field, loaded while the user enters the address. */
export const CodeSteps = ({ intention }: CodeStepsProps) => {
  const { signIn, feature } = useApp();
  const state = useObservable(signIn.step$);
  feature(createAfterCode);
  if (state.step === "code") return <CodeStep email={state.email} intention={intention} />;
  return state.step === "two-factor" && <TwoFactorStep />;
};
