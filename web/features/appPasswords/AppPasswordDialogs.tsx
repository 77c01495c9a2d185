import { useState } from "react";
import { type AppPassword, maxAppPasswordName } from "../../../core/appPasswords/appPasswordEndpoints.ts";
import type { AppPasswords } from "../../../core/appPasswords/appPasswords.ts";
import { ActionDialog } from "../../items/ActionDialog.tsx";
import type { ItemDialogProps } from "../../items/ItemsCard.tsx";
import { NameDialog } from "../../items/NameDialog.tsx";
import { useAction } from "../../react/useAction.ts";
import { useObservable } from "../../react/useObservable.ts";
import { SecretDialog } from "../../ui/overlay/SecretDialog.tsx";

/** A dialog about app passwords. */
export type AppPasswordTarget =
  | { readonly kind: "create" }
  | { readonly kind: "revoke"; readonly password: AppPassword };

interface AppPasswordDialogsProps extends ItemDialogProps<AppPasswordTarget> {
  readonly appPasswords: AppPasswords;
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
const CreateDialog = (props: DialogProps) => {
  const { appPasswords, ...dialog } = props;
  const [password, setPassword] = useState<string | null>(null);
  if (password !== null) return <NewPassword {...props} password={password} />;
  return (
    <NameDialog
      {...dialog}
      title="Create app password"
      field={{
        label: "Program or device",
        placeholder: "Thunderbird at home",
        maxLength: maxAppPasswordName,
      }}
      action={appPasswords.create}
      onDone={setPassword}
      submitLabel="Create password"
      pendingLabel="Creating…"
    />
  );
};

const RevokeDialog = ({
  appPasswords,
  password,
  ...dialog
}: DialogProps & { readonly password: AppPassword }) => (
  <ActionDialog
    {...dialog}
    title={`Revoke the password of ${password.name}?`}
    confirmLabel="Revoke"
    pendingLabel="Revoking…"
    isDanger
    action={() => appPasswords.revoke(password.id)}
  >
    <p>
      The program that uses this password can no longer send mail. This cannot be undone; you can create
      another one.
    </p>
  </ActionDialog>
);

/** Shows the requested dialog. */
export const AppPasswordDialogs = ({ target, ...dialog }: AppPasswordDialogsProps) =>
  target.kind === "create" ? (
    <CreateDialog {...dialog} />
  ) : (
    <RevokeDialog {...dialog} password={target.password} />
  );
