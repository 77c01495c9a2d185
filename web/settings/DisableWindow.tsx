import { useRef, useState } from "react";
import { fieldMessage } from "../binding/fieldMessage.ts";
import { useAction } from "../binding/useAction.ts";
import { SecondFactorField } from "../secondFactor/SecondFactorField.tsx";
import { Button } from "../ui/Button.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import styles from "./TwoFactorWindow.module.css";
import type { TwoFactor } from "./twoFactorPart.ts";

interface DisableWindowProps {
  readonly twoFactor: TwoFactor;
  readonly isOpen: boolean;
}

/** Turning it off takes what signing in takes. */
export const DisableWindow = ({ twoFactor, isOpen }: DisableWindowProps) => {
  const [code, setCode] = useState("");
  const box = useRef<HTMLInputElement>(null);
  const disable = useAction(twoFactor.disable, { onProblem: () => box.current?.select() });
  return (
    <Dialog
      isOpen={isOpen}
      onClose={twoFactor.close}
      title="Turn off two-factor authentication?"
      isPending={disable.isRunning}
      onSubmit={() => disable.run(code)}
      footer={
        <>
          <Button onPress={twoFactor.close} isDisabled={disable.isRunning}>
            Cancel
          </Button>
          <Button type="submit" variant="danger" isPending={disable.isRunning} pendingLabel="Turning off…">
            Turn off
          </Button>
        </>
      }
    >
      <div className={styles.body}>
        <p>
          From then on the code that comes by mail is enough to sign in: whoever can read your mail can read
          your masks. Your recovery codes stop working.
        </p>
        <SecondFactorField
          ref={box}
          name="code"
          value={code}
          onChange={(typed) => {
            setCode(typed);
            disable.forget();
          }}
          error={fieldMessage(disable.problem, "code") ?? (disable.problem?.sentence || undefined)}
          autoFocus
        />
      </div>
    </Dialog>
  );
};
