import { useState } from "react";
import type { AccountData } from "../../../core/account/accountData.ts";
import { fieldMessage, useFormAction } from "../../react/useAction.ts";
import { useSignedIn } from "../../react/useApp.ts";
import { useObservable } from "../../react/useObservable.ts";
import { ProblemBanner } from "../../ui/feedback/ProblemBanner.tsx";
import { TextField } from "../../ui/form/TextField.tsx";
import { FormDialog } from "../../ui/overlay/FormDialog.tsx";
import { TwoFactorCodeField } from "../session/twoFactor/TwoFactorCodeField.tsx";
import styles from "./DeleteAccountDialog.module.css";

interface DeleteAccountDialogProps {
  readonly data: AccountData;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Lists what is deleted and asks for the email address of the account before deleting it. */
export const DeleteAccountDialog = ({ data, isOpen, onClose }: DeleteAccountDialogProps) => {
  const { account, masks } = useSignedIn();
  const details = useObservable(account.account$);
  const { all } = useObservable(masks.view$);
  const [draft, setDraft] = useState({ email: "", code: "" });
  const remove = useFormAction(data.remove);
  const change = (next: Partial<typeof draft>): void => {
    setDraft({ ...draft, ...next });
    remove.clearProblem();
  };
  const close = (): void => {
    setDraft({ email: "", code: "" });
    remove.clearProblem();
    onClose();
  };
  const count = details?.usage?.masks.total ?? all.length;
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={close}
      title="Delete your account?"
      isPending={remove.isRunning}
      onSubmit={() => remove.run(draft)}
      submitLabel="Delete account"
      pendingLabel="Deleting…"
      isDanger
    >
      <div className={styles.body}>
        <p>This deletes at once and for good:</p>
        <ul className={styles.list}>
          <li>
            {count === 1 ? "your mask" : `all your ${count} masks`}: mail to them is refused, and nobody will
            ever get their addresses again
          </li>
          <li>rules, statistics, notifications, stored mail and mail that is not delivered yet</li>
          <li>your settings and recovery codes, and every session on every device</li>
          {details?.subscription.isPaid && <li>your subscription: it ends, and nothing more is charged</li>}
        </ul>
        <p>To keep a copy, export your data first. Mail in your own mailbox stays there.</p>
        <TextField
          label="Address of your account"
          name="email"
          type="email"
          description={details?.email ? `Type ${details.email} to confirm.` : undefined}
          value={draft.email}
          onChange={(email) => change({ email })}
          error={fieldMessage(remove.problem, "email")}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
        />
        {details?.twoFactor.enabled && (
          <TwoFactorCodeField
            name="code"
            value={draft.code}
            onChange={(code) => change({ code })}
            error={fieldMessage(remove.problem, "code")}
          />
        )}
        <ProblemBanner problem={remove.problem} />
      </div>
    </FormDialog>
  );
};
