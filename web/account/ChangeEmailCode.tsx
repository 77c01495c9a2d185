import { useState } from "react";
import type { App } from "../../core/app.ts";
import type { Problem } from "../../core/sentences/problem.ts";
import { fieldMessage } from "../binding/fieldMessage.ts";
import { useAction } from "../binding/useAction.ts";
import { useApp } from "../binding/useApp.ts";
import type { PartOf } from "../binding/useLatePart.ts";
import { useObservable } from "../binding/useObservable.ts";
import { SecondFactorField } from "../secondFactor/SecondFactorField.tsx";
import { Button } from "../ui/Button.tsx";
import { Checkbox } from "../ui/Checkbox.tsx";
import { CodeField } from "../ui/CodeField.tsx";
import { ProblemBanner } from "../ui/ProblemBanner.tsx";
import styles from "./ChangeEmailWindow.module.css";

interface Typed {
  readonly code: string;
  readonly twoFactorCode: string;
  readonly moveMasks: boolean;
}

interface ChangeEmailCodeProps {
  readonly profile: PartOf<App["profile"]>;
  readonly email: string;
  readonly typed: Typed;
  readonly onChange: (next: Partial<Typed>) => void;
  readonly problem: Problem | null;
  /** Another address is wanted. */
  readonly onOther: () => void;
}

const masks = (count: number): string =>
  count === 1 ? "Your mask that forwards" : `Your ${count} masks that forward`;

/** The code that came to the new address, and what becomes of the masks. */
export const ChangeEmailCode = ({
  profile,
  email,
  typed,
  onChange,
  problem,
  onOther,
}: ChangeEmailCodeProps) => {
  const app = useApp();
  const account = useObservable(app.account.account$);
  const { all } = useObservable(app.masks.view$);
  const now = useObservable(profile.step$);
  const seconds = now.step === "code" ? now.resendInSeconds : 0;
  const [isNews, setNews] = useState(false);
  const resend = useAction(profile.resend, {
    onSuccess: () => {
      onChange({ code: "" });
      setNews(true);
    },
    onProblem: () => setNews(false),
  });
  const old = account?.email.toLowerCase();
  const count = all.filter(({ forwardTo }) => forwardTo?.toLowerCase() === old).length;
  return (
    <>
      <p>
        Enter the 6-digit code we sent to <strong className={styles.address}>{email}</strong>. From then on
        you sign in with this address, and your old one gets a mail that says so.
      </p>
      <CodeField
        label="Verification code"
        name="code"
        value={typed.code}
        onChange={(code) => onChange({ code })}
        error={fieldMessage(problem, "code")}
        autoFocus
      />
      {account?.twoFactor.enabled && (
        <SecondFactorField
          name="twoFactorCode"
          value={typed.twoFactorCode}
          onChange={(twoFactorCode) => onChange({ twoFactorCode })}
          error={fieldMessage(problem, "twoFactorCode")}
        />
      )}
      {count > 0 && (
        <Checkbox
          name="moveMasks"
          label={`${masks(count)} to the old address should forward to the new one`}
          description="Rules that name an address keep it."
          isChecked={typed.moveMasks}
          onChange={(moveMasks) => onChange({ moveMasks })}
        />
      )}
      {account?.subscription.isPaid && (
        <p className={styles.note}>Invoices go to the old address until you change it under Manage Plan.</p>
      )}
      <ProblemBanner problem={problem} />
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
        <Button variant="quiet" onPress={onOther}>
          Use a different email
        </Button>
      </div>
      <p className={styles.note} role="status">
        {resend.problem?.sentence ||
          (isNews && "A new code is on its way. The one before it no longer works.")}
      </p>
    </>
  );
};
