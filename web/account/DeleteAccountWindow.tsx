import { useState } from "react";
import type { App } from "../../core/app.ts";
import { fieldMessage } from "../binding/fieldMessage.ts";
import { useAction } from "../binding/useAction.ts";
import { useApp } from "../binding/useApp.ts";
import type { PartOf } from "../binding/useLatePart.ts";
import { useObservable } from "../binding/useObservable.ts";
import { SecondFactorField } from "../secondFactor/SecondFactorField.tsx";
import { Button } from "../ui/Button.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { ProblemBanner } from "../ui/ProblemBanner.tsx";
import { TextField } from "../ui/TextField.tsx";
import styles from "./DeleteAccountWindow.module.css";

interface DeleteAccountWindowProps {
  readonly data: PartOf<App["accountData"]>;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Says what goes, and goes on only for somebody who types the address of the account. */
export const DeleteAccountWindow = ({ data, isOpen, onClose }: DeleteAccountWindowProps) => {
  const { account, masks } = useApp();
  const known = useObservable(account.account$);
  const { all } = useObservable(masks.view$);
  const [typed, setTyped] = useState({ email: "", code: "" });
  const remove = useAction(data.remove);
  const change = (next: Partial<typeof typed>): void => {
    setTyped({ ...typed, ...next });
    remove.forget();
  };
  const close = (): void => {
    setTyped({ email: "", code: "" });
    remove.forget();
    onClose();
  };
  const count = known?.usage?.masks.total ?? all.length;
  return (
    <Dialog
      isOpen={isOpen}
      onClose={close}
      title="Delete your account?"
      isPending={remove.isRunning}
      onSubmit={() => remove.run(typed)}
      footer={
        <>
          <Button onPress={close} isDisabled={remove.isRunning}>
            Cancel
          </Button>
          <Button type="submit" variant="danger" isPending={remove.isRunning} pendingLabel="Deleting…">
            Delete account
          </Button>
        </>
      }
    >
      <div className={styles.body}>
        <p>What goes, at once and for good:</p>
        <ul className={styles.list}>
          <li>
            {count === 1 ? "your mask" : `all your ${count} masks`}: mail to them is refused, and nobody will
            ever get their addresses again
          </li>
          <li>rules, statistics, notifications, stored mail and mail that is still on its way</li>
          <li>your settings and recovery codes, and every session on every device</li>
          {known?.subscription.isPaid && <li>your subscription: it ends, and nothing more is charged</li>}
        </ul>
        <p>To keep a copy, export your data first. Mail that reached you stays where it is.</p>
        <TextField
          label="Address of your account"
          name="email"
          type="email"
          description={known ? `Type ${known.email} to confirm.` : undefined}
          value={typed.email}
          onChange={(email) => change({ email })}
          error={fieldMessage(remove.problem, "email")}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
        />
        {known?.twoFactor.enabled && (
          <SecondFactorField
            name="code"
            value={typed.code}
            onChange={(code) => change({ code })}
            error={fieldMessage(remove.problem, "code")}
          />
        )}
        <ProblemBanner problem={remove.problem} />
      </div>
    </Dialog>
  );
};
