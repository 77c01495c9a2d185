import { maxPasskeyName, type Passkey } from "../../../core/passkeys/passkeyEndpoints.ts";
import type { Passkeys } from "../../../core/passkeys/passkeys.ts";
import { ActionDialog } from "../../items/ActionDialog.tsx";
import type { ItemDialogProps } from "../../items/ItemsCard.tsx";
import { NameDialog } from "../../items/NameDialog.tsx";

/** A dialog about passkeys. */
export type PasskeyTarget =
  | { readonly kind: "rename" | "remove"; readonly passkey: Passkey }
  | { readonly kind: "only" };

interface PasskeyDialogsProps extends ItemDialogProps<PasskeyTarget> {
  readonly passkeys: Passkeys;
}

type DialogProps = Omit<PasskeyDialogsProps, "target">;

const RenameDialog = ({ passkeys, passkey, ...dialog }: DialogProps & { readonly passkey: Passkey }) => (
  <NameDialog
    {...dialog}
    title="Rename passkey"
    initial={passkey.name}
    field={{ label: "Name", maxLength: maxPasskeyName }}
    action={(name) => passkeys.rename(passkey.id, name)}
    submitLabel="Rename"
    pendingLabel="Renaming…"
  />
);

const RemoveDialog = ({ passkeys, passkey, ...dialog }: DialogProps & { readonly passkey: Passkey }) => (
  <ActionDialog
    {...dialog}
    title={`Remove the passkey ${passkey.name}?`}
    confirmLabel="Remove"
    pendingLabel="Removing…"
    isDanger
    action={() => passkeys.remove(passkey.id)}
  >
    <p>
      This passkey no longer logs in, and sessions that it opened end at once
      {passkey.isCurrent && ", this one too: you are logged out here"}. Delete it on the device as well, so
      that it is not suggested any more.
    </p>
  </ActionDialog>
);

const OnlyDialog = ({ passkeys, ...dialog }: DialogProps) => (
  <ActionDialog
    {...dialog}
    title="Log in with passkeys only?"
    confirmLabel="Passkeys only"
    pendingLabel="Saving…"
    action={() => passkeys.setOnly(true)}
  >
    <p>
      A code by email is no longer enough. If you lose all passkeys, log in with a code and one of your
      recovery codes; without recovery codes only the operator can help.
    </p>
  </ActionDialog>
);

/** Shows the requested dialog. */
export const PasskeyDialogs = ({ target, ...dialog }: PasskeyDialogsProps) => {
  switch (target.kind) {
    case "rename":
      return <RenameDialog {...dialog} passkey={target.passkey} />;
    case "remove":
      return <RemoveDialog {...dialog} passkey={target.passkey} />;
    case "only":
      return <OnlyDialog {...dialog} />;
  }
};
