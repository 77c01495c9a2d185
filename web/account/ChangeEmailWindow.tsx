import { useEffect, useRef, useState } from "react";
import type { App } from "../../core/app.ts";
import { useAction } from "../binding/useAction.ts";
import type { PartOf } from "../binding/useLatePart.ts";
import { useObservable } from "../binding/useObservable.ts";
import { Button } from "../ui/Button.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { ChangeEmailCode } from "./ChangeEmailCode.tsx";
import styles from "./ChangeEmailWindow.module.css";
import { NewEmailField } from "./NewEmailField.tsx";

interface ChangeEmailWindowProps {
  readonly profile: PartOf<App["profile"]>;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

const nothingTyped = { email: "", code: "", twoFactorCode: "", moveMasks: true };

/** Two steps: the new address, then the code that proves it. Left and opened again, it stands where it was. */
export const ChangeEmailWindow = ({ profile, isOpen, onClose }: ChangeEmailWindowProps) => {
  const now = useObservable(profile.step$);
  const [typed, setTyped] = useState(nothingTyped);
  const box = useRef<HTMLInputElement>(null);
  const request = useAction(profile.request, { onProblem: () => box.current?.select() });
  const confirm = useAction(profile.confirm, { onSuccess: onClose });
  const isRunning = request.isRunning || confirm.isRunning;
  const change = (next: Partial<typeof typed>): void => {
    setTyped({ ...typed, ...next });
    request.forget();
    confirm.forget();
  };
  useEffect(() => {
    if (!isOpen || profile.step$.value.step !== "done") return;
    profile.startOver();
    setTyped(nothingTyped);
  }, [isOpen, profile]);

  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title="Change your email"
      isPending={isRunning}
      onSubmit={() => (now.step === "address" ? request.run(typed.email) : confirm.run(typed))}
      footer={
        <>
          <Button onPress={onClose} isDisabled={isRunning}>
            Cancel
          </Button>
          {now.step === "address" ? (
            <Button type="submit" variant="primary" isPending={isRunning} pendingLabel="Sending code…">
              Send code
            </Button>
          ) : (
            <Button type="submit" variant="primary" isPending={isRunning} pendingLabel="Changing…">
              Change email
            </Button>
          )}
        </>
      }
    >
      <div className={styles.body}>
        {now.step === "address" ? (
          <NewEmailField
            ref={box}
            email={typed.email}
            onChange={(email) => change({ email })}
            problem={request.problem}
          />
        ) : (
          <ChangeEmailCode
            profile={profile}
            email={now.email}
            typed={typed}
            onChange={change}
            problem={confirm.problem}
            onOther={() => {
              change({ code: "", twoFactorCode: "" });
              profile.startOver();
            }}
          />
        )}
      </div>
    </Dialog>
  );
};
