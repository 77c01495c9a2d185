import { useRef, useState } from "react";
import { fieldMessage } from "../binding/fieldMessage.ts";
import { useAction } from "../binding/useAction.ts";
import { Button } from "../ui/Button.tsx";
import { CodeField } from "../ui/CodeField.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import styles from "./TwoFactorWindow.module.css";
import type { TwoFactor } from "./twoFactorPart.ts";

interface RenewWindowProps {
  readonly twoFactor: TwoFactor;
  readonly isOpen: boolean;
}

/** New recovery codes for somebody who has the authenticator. */
export const RenewWindow = ({ twoFactor, isOpen }: RenewWindowProps) => {
  const [code, setCode] = useState("");
  const box = useRef<HTMLInputElement>(null);
  const renew = useAction(twoFactor.renew, { onProblem: () => box.current?.select() });
  return (
    <Dialog
      isOpen={isOpen}
      onClose={twoFactor.close}
      title="New recovery codes"
      isPending={renew.isRunning}
      onSubmit={() => renew.run(code)}
      footer={
        <>
          <Button onPress={twoFactor.close} isDisabled={renew.isRunning}>
            Cancel
          </Button>
          <Button type="submit" variant="primary" isPending={renew.isRunning} pendingLabel="Checking…">
            Make new codes
          </Button>
        </>
      }
    >
      <div className={styles.body}>
        <p>You get ten new recovery codes. The ones you have now stop working.</p>
        <CodeField
          ref={box}
          label="2FA code"
          name="code"
          description="The 6 digits that your authenticator app shows now."
          value={code}
          onChange={(digits) => {
            setCode(digits);
            renew.forget();
          }}
          error={fieldMessage(renew.problem, "code") ?? (renew.problem?.sentence || undefined)}
          autoFocus
        />
      </div>
    </Dialog>
  );
};
