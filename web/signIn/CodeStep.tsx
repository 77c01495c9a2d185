import { useState } from "react";
import { useAction } from "../binding/useAction.ts";
import { useApp } from "../binding/useApp.ts";
import { useObservable } from "../binding/useObservable.ts";
import { Button } from "../ui/Button.tsx";
import { CodeForm } from "./CodeForm.tsx";
import type { Intention } from "./EmailStep.tsx";
import styles from "./SignInForm.module.css";

interface CodeStepProps {
  readonly email: string;
  readonly intention: Intention;
}

/** The second step: the code that came by mail, or another one after the countdown (SI5, SI6). */
export const CodeStep = ({ email, intention }: CodeStepProps) => {
  const { signIn } = useApp();
  const now = useObservable(signIn.step$);
  const seconds = now.step === "code" ? now.resendInSeconds : 0;
  const isCodeUsed = now.step === "code" && now.isCodeUsed === true;
  const [resent, setResent] = useState(0);
  const [isNews, setNews] = useState(false);
  const resend = useAction(signIn.resend, {
    onSuccess: () => {
      setResent((count) => count + 1);
      setNews(true);
    },
    onProblem: () => setNews(false),
  });

  return (
    <CodeForm
      label="Verification code"
      field="otp"
      verify={signIn.verifyCode}
      generation={resent}
      onProblem={() => {
        setNews(false);
        resend.forget();
      }}
      intro={
        <>
          {isCodeUsed && "The code you entered was used and works only once. Press Resend code for another. "}
          Enter the 6-digit code we sent to <strong className={styles.address}>{email}</strong>.
          {intention === "subscribe" && " After it you choose a plan."}
        </>
      }
    >
      <div className={styles.ways}>
        <Button
          variant="quiet"
          onPress={resend.run}
          isPending={resend.isRunning}
          isDisabled={seconds > 0 && !resend.isRunning}
          className={styles.resend}
        >
          {seconds > 0 ? `Resend code in ${seconds} s` : "Resend code"}
        </Button>
        <Button variant="quiet" onPress={signIn.useDifferentEmail}>
          Use a different email
        </Button>
      </div>
      <p className={styles.note} role="status">
        {resend.problem ? (
          <span className={styles.failure}>{resend.problem.sentence}</span>
        ) : (
          isNews && "A new code is on its way. The one before it no longer works."
        )}
      </p>
    </CodeForm>
  );
};
