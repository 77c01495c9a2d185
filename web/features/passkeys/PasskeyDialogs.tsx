import { useState } from "react";
import { maxPasskeyName, type Passkey } from "../../../core/passkeys/passkeyEndpoints.ts";
import type { Passkeys } from "../../../core/passkeys/passkeys.ts";
import { fieldMessage, useFormAction } from "../../react/useAction.ts";
import { ProblemBanner } from "../../ui/feedback/ProblemBanner.tsx";
import { TextField } from "../../ui/form/TextField.tsx";
import { ConfirmDialog } from "../../ui/overlay/ConfirmDialog.tsx";
import { FormDialog } from "../../ui/overlay/FormDialog.tsx";

/** A dialog about passkeys. */
export type PasskeyTarget =
  | { readonly kind: "rename" | "remove"; readonly passkey: Passkey }
  | { readonly kind: "only" };

interface DialogProps {
  readonly passkeys: Passkeys;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

const RenameDialog = ({
  passkeys,
  passkey,
  isOpen,
  onClose,
}: DialogProps & { readonly passkey: Passkey }) => {
  const [name, setName] = useState(passkey.name);
  const rename = useFormAction(passkeys.rename, { onSuccess: onClose });
  const nameProblem = fieldMessage(rename.problem, "name");
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={onClose}
      title="Rename passkey"
      size="small"
      onSubmit={() => (name === passkey.name ? onClose() : rename.run(passkey.id, name))}
      isPending={rename.isRunning}
      submitLabel="Rename"
      pendingLabel="Renaming…"
    >
      <TextField
        label="Name"
        value={name}
        onChange={(value) => {
          setName(value);
          rename.clearProblem();
        }}
        maxLength={maxPasskeyName}
        error={nameProblem}
        autoComplete="off"
        autoFocus
      />
      {nameProblem === undefined && <ProblemBanner problem={rename.problem} />}
    </FormDialog>
  );
};

const RemoveDialog = ({
  passkeys,
  passkey,
  isOpen,
  onClose,
}: DialogProps & { readonly passkey: Passkey }) => {
  const remove = useFormAction(passkeys.remove, { onSuccess: onClose });
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title={`Remove the passkey ${passkey.name}?`}
      confirmLabel="Remove"
      pendingLabel="Removing…"
      isDanger
      isPending={remove.isRunning}
      onConfirm={() => remove.run(passkey.id)}
      onCancel={onClose}
      problem={remove.problem}
    >
      <p>
        It no longer logs in, and sessions that it opened end at once
        {passkey.isCurrent && ", this one too: you are logged out here"}. Delete it on the device as well, so
        that it is not suggested any more.
      </p>
    </ConfirmDialog>
  );
};

const OnlyDialog = ({ passkeys, isOpen, onClose }: DialogProps) => {
  const setOnly = useFormAction(passkeys.setOnly, { onSuccess: onClose });
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title="Log in with passkeys only?"
      confirmLabel="Passkeys only"
      pendingLabel="Saving…"
      isPending={setOnly.isRunning}
      onConfirm={() => setOnly.run(true)}
      onCancel={onClose}
      problem={setOnly.problem}
    >
      <p>
        A code by email alone no longer logs in. If you lose all passkeys, a code together with one of your
        recovery codes does; without recovery codes only whoever runs the server can help.
      </p>
    </ConfirmDialog>
  );
};

/** Shows the requested dialog. */
export const PasskeyDialogs = ({ target, ...dialog }: DialogProps & { readonly target: PasskeyTarget }) => {
  switch (target.kind) {
    case "rename":
      return <RenameDialog {...dialog} passkey={target.passkey} />;
    case "remove":
      return <RemoveDialog {...dialog} passkey={target.passkey} />;
    case "only":
      return <OnlyDialog {...dialog} />;
  }
};
