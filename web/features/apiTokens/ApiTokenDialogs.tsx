import { useState } from "react";
import { type ApiToken, maxApiTokenName } from "../../../core/apiTokens/apiTokenEndpoints.ts";
import type { ApiTokens, MadeApiToken } from "../../../core/apiTokens/apiTokens.ts";
import { fieldMessage, useFormAction } from "../../react/useAction.ts";
import { ProblemBanner } from "../../ui/feedback/ProblemBanner.tsx";
import { TextField } from "../../ui/form/TextField.tsx";
import { ConfirmDialog } from "../../ui/overlay/ConfirmDialog.tsx";
import { FormDialog } from "../../ui/overlay/FormDialog.tsx";
import { MadeTokenDialog } from "./MadeTokenDialog.tsx";
import { MakeTokenDialog } from "./MakeTokenDialog.tsx";

/** A dialog about API tokens. */
export type ApiTokenTarget =
  | { readonly kind: "create" }
  | { readonly kind: "rename" | "revoke"; readonly token: ApiToken };

interface DialogProps {
  readonly apiTokens: ApiTokens;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Asks what the token is for, then shows it. */
const CreateDialog = (props: DialogProps) => {
  const [made, setMade] = useState<MadeApiToken | null>(null);
  return made === null ? (
    <MakeTokenDialog {...props} onMade={setMade} />
  ) : (
    <MadeTokenDialog {...props} made={made} />
  );
};

const RenameDialog = ({ apiTokens, token, isOpen, onClose }: DialogProps & { readonly token: ApiToken }) => {
  const [name, setName] = useState(token.name);
  const rename = useFormAction(apiTokens.rename, { onSuccess: onClose });
  const nameProblem = fieldMessage(rename.problem, "name");
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={onClose}
      title="Rename API token"
      size="small"
      onSubmit={() => (name === token.name ? onClose() : rename.run(token.id, name))}
      isPending={rename.isRunning}
      submitLabel="Rename"
      pendingLabel="Renaming…"
    >
      <TextField
        label="Program"
        value={name}
        onChange={(value) => {
          setName(value);
          rename.clearProblem();
        }}
        maxLength={maxApiTokenName}
        error={nameProblem}
        autoComplete="off"
        autoFocus
      />
      {nameProblem === undefined && <ProblemBanner problem={rename.problem} />}
    </FormDialog>
  );
};

const RevokeDialog = ({ apiTokens, token, isOpen, onClose }: DialogProps & { readonly token: ApiToken }) => {
  const revoke = useFormAction(apiTokens.revoke, { onSuccess: onClose });
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title={`Revoke the token of ${token.name}?`}
      confirmLabel="Revoke"
      pendingLabel="Revoking…"
      isDanger
      isPending={revoke.isRunning}
      onConfirm={() => revoke.run(token.id)}
      onCancel={onClose}
      problem={revoke.problem}
    >
      <p>
        {token.name} stops working with your masks at once, wherever it uses this token. The masks that it
        made stay. This cannot be undone; you can make another token.
      </p>
    </ConfirmDialog>
  );
};

interface ApiTokenDialogsProps extends DialogProps {
  readonly target: ApiTokenTarget;
}

/** Shows the requested dialog. */
export const ApiTokenDialogs = ({ target, ...dialog }: ApiTokenDialogsProps) => {
  switch (target.kind) {
    case "create":
      return <CreateDialog {...dialog} />;
    case "rename":
      return <RenameDialog {...dialog} token={target.token} />;
    case "revoke":
      return <RevokeDialog {...dialog} token={target.token} />;
  }
};
