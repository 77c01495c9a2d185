import { useState } from "react";
import { type AppPassword, maxAppPasswordName } from "../../../core/appPasswords/appPasswordEndpoints.ts";
import type { AppPasswords } from "../../../core/appPasswords/appPasswords.ts";
import { fieldMessage, useAction } from "../../react/useAction.ts";
import { useObservable } from "../../react/useObservable.ts";
import { ProblemBanner } from "../../ui/feedback/ProblemBanner.tsx";
import { TextField } from "../../ui/form/TextField.tsx";
import { ConfirmDialog } from "../../ui/overlay/ConfirmDialog.tsx";
import { FormDialog } from "../../ui/overlay/FormDialog.tsx";
import { SecretDialog } from "../../ui/overlay/SecretDialog.tsx";

/** A dialog about app passwords. */
export type AppPasswordTarget =
  | { readonly kind: "create" }
  | { readonly kind: "revoke"; readonly password: AppPassword };

interface AppPasswordDialogsProps {
  readonly appPasswords: AppPasswords;
  readonly target: AppPasswordTarget;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

type DialogProps = Omit<AppPasswordDialogsProps, "target">;

/** Shows the new password, which cannot be read again. */
const NewPassword = ({
  appPasswords,
  password,
  isOpen,
  onClose,
}: DialogProps & { readonly password: string }) => {
  const copy = useAction(appPasswords.copy);
  const copied = useObservable(appPasswords.copied$);
  return (
    <SecretDialog
      isOpen={isOpen}
      onClose={onClose}
      title="Your app password"
      noun="password"
      secret={password}
      onCopy={() => copy.run(password)}
      isCopied={copied === true}
      intro="Enter it in the mail program now. It is shown only once."
    />
  );
};

/** Asks for a name, then shows the password. */
const CreateDialog = ({ appPasswords, isOpen, onClose }: DialogProps) => {
  const [name, setName] = useState("");
  const [password, setPassword] = useState<string | null>(null);
  const create = useAction(appPasswords.create, { onSuccess: setPassword });
  const nameProblem = fieldMessage(create.problem, "name");
  if (password !== null)
    return <NewPassword appPasswords={appPasswords} password={password} isOpen={isOpen} onClose={onClose} />;
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={onClose}
      title="Make app password"
      size="small"
      onSubmit={() => create.run(name)}
      isPending={create.isRunning}
      submitLabel="Make password"
      pendingLabel="Making…"
    >
      <TextField
        label="Program or device"
        placeholder="Thunderbird at home"
        value={name}
        onChange={(value) => {
          setName(value);
          create.clearProblem();
        }}
        maxLength={maxAppPasswordName}
        error={nameProblem}
        autoFocus
      />
      {nameProblem === undefined && <ProblemBanner problem={create.problem} />}
    </FormDialog>
  );
};

const RevokeDialog = ({
  appPasswords,
  password,
  isOpen,
  onClose,
}: DialogProps & { readonly password: AppPassword }) => {
  const revoke = useAction(appPasswords.revoke, { onSuccess: onClose });
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title={`Revoke the password of ${password.name}?`}
      confirmLabel="Revoke"
      pendingLabel="Revoking…"
      isDanger
      isPending={revoke.isRunning}
      onConfirm={() => revoke.run(password.id)}
      onCancel={onClose}
      problem={revoke.problem}
    >
      <p>The program that uses it can send no more mail. This cannot be undone; you can make another one.</p>
    </ConfirmDialog>
  );
};

/** Shows the requested dialog. */
export const AppPasswordDialogs = ({ target, ...dialog }: AppPasswordDialogsProps) =>
  target.kind === "create" ? (
    <CreateDialog {...dialog} />
  ) : (
    <RevokeDialog {...dialog} password={target.password} />
  );
