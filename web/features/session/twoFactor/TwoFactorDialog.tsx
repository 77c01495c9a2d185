import { useState } from "react";
import { codeDigits } from "../../../../core/api/textCodecs.ts";
import { recoveryCodeCount } from "../../../../core/session/twoFactor/recoveryCode.ts";
import type { TwoFactor } from "../../../../core/session/twoFactor/twoFactor.ts";
import type { TwoFactorFlow } from "../../../../core/session/twoFactor/twoFactorFlow.ts";
import { useObservable } from "../../../react/useObservable.ts";
import { CodeField } from "../../../ui/form/CodeField.tsx";
import { FormDialog } from "../../../ui/overlay/FormDialog.tsx";
import { RecoveryCodesDialog } from "./RecoveryCodesDialog.tsx";
import { IntroDialog, ScanDialog } from "./SetupDialogs.tsx";
import { TwoFactorCodeField } from "./TwoFactorCodeField.tsx";
import styles from "./TwoFactorDialog.module.css";
import { useCodeForm } from "./useCodeForm.ts";

interface RenewDialogProps {
  readonly twoFactor: TwoFactor;
  readonly isOpen: boolean;
}

/** Replaces the recovery codes, which takes a code from the authenticator. */
const RenewDialog = ({ twoFactor, isOpen }: RenewDialogProps) => {
  const renew = useCodeForm(twoFactor.renew);
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={twoFactor.close}
      title="New recovery codes"
      isPending={renew.isRunning}
      onSubmit={renew.submit}
      submitLabel="Create new codes"
      pendingLabel="Checking…"
    >
      <div className={styles.body}>
        <p>You get {recoveryCodeCount} new recovery codes. The ones you have now stop working.</p>
        <CodeField
          length={codeDigits}
          {...renew.field}
          label="2FA code"
          description={`The ${codeDigits} digits that your authenticator app shows now.`}
          autoFocus
        />
      </div>
    </FormDialog>
  );
};

interface DisableDialogProps {
  readonly twoFactor: TwoFactor;
  readonly isOpen: boolean;
}

/** Switches off two-factor authentication, which takes a code as signing in does. */
const DisableDialog = ({ twoFactor, isOpen }: DisableDialogProps) => {
  const disable = useCodeForm(twoFactor.disable);
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={twoFactor.close}
      title="Switch off two-factor authentication?"
      isPending={disable.isRunning}
      onSubmit={disable.submit}
      submitLabel="Switch off"
      pendingLabel="Switching off…"
      isDanger
    >
      <div className={styles.body}>
        <p>
          From then on the code that comes by mail is enough to log in: somebody who can read your mail can
          use your masks. Your recovery codes stop working.
        </p>
        <TwoFactorCodeField {...disable.field} autoFocus />
      </div>
    </FormDialog>
  );
};

interface TwoFactorDialogProps {
  readonly twoFactor: TwoFactor;
}

/** The dialog of the current step (SG2); it keeps showing the last step while it closes. */
export const TwoFactorDialog = ({ twoFactor }: TwoFactorDialogProps) => {
  const flow = useObservable(twoFactor.flow$);
  const [last, setLast] = useState<TwoFactorFlow | null>(flow);
  if (flow !== null && flow !== last) setLast(flow);
  const shown = flow ?? last;
  if (shown === null) return null;
  const dialogProps = { twoFactor, isOpen: flow !== null };
  switch (shown.at) {
    case "intro":
      return <IntroDialog {...dialogProps} />;
    case "scan":
      return <ScanDialog {...dialogProps} secret={shown} />;
    case "disable":
      return <DisableDialog {...dialogProps} />;
    case "renew":
      return <RenewDialog {...dialogProps} />;
    case "complete":
    case "renewed":
      return <RecoveryCodesDialog {...dialogProps} flow={shown} />;
  }
};
