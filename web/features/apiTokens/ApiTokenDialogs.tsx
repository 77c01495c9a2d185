import { useState } from "react";
import { type ApiToken, maxApiTokenName } from "../../../core/apiTokens/apiTokenEndpoints.ts";
import type { ApiTokens, MadeApiToken } from "../../../core/apiTokens/apiTokens.ts";
import { ActionDialog } from "../../items/ActionDialog.tsx";
import type { ItemDialogProps } from "../../items/ItemsCard.tsx";
import { NameDialog } from "../../items/NameDialog.tsx";
import { ConnectBrowserDialog } from "./ConnectBrowserDialog.tsx";
import { CreateTokenDialog } from "./CreateTokenDialog.tsx";
import { MadeTokenDialog } from "./MadeTokenDialog.tsx";

/** A dialog about API tokens. */
export type ApiTokenTarget =
  | { readonly kind: "create" | "connect" }
  | { readonly kind: "rename" | "revoke"; readonly token: ApiToken };

interface ApiTokenDialogsProps extends ItemDialogProps<ApiTokenTarget> {
  readonly apiTokens: ApiTokens;
}

type DialogProps = Omit<ApiTokenDialogsProps, "target">;

/** Asks what the token is for, then shows it. */
const CreateDialog = (props: DialogProps) => {
  const [made, setMade] = useState<MadeApiToken | null>(null);
  return made === null ? (
    <CreateTokenDialog {...props} onMade={setMade} />
  ) : (
    <MadeTokenDialog {...props} made={made} />
  );
};

const RenameDialog = ({ apiTokens, token, ...dialog }: DialogProps & { readonly token: ApiToken }) => (
  <NameDialog
    {...dialog}
    title="Rename API token"
    initial={token.name}
    field={{ label: "Program", maxLength: maxApiTokenName }}
    action={(name) => apiTokens.rename(token.id, name)}
    submitLabel="Rename"
    pendingLabel="Renaming…"
  />
);

const RevokeDialog = ({ apiTokens, token, ...dialog }: DialogProps & { readonly token: ApiToken }) => (
  <ActionDialog
    {...dialog}
    title={`Revoke the token of ${token.name}?`}
    confirmLabel="Revoke"
    pendingLabel="Revoking…"
    isDanger
    action={() => apiTokens.revoke(token.id)}
  >
    <p>
      {token.name} stops working with your masks at once, wherever it uses this token. The masks that it
      created stay. This cannot be undone; you can create another token.
    </p>
  </ActionDialog>
);

/** Shows the requested dialog. */
export const ApiTokenDialogs = ({ target, ...dialog }: ApiTokenDialogsProps) => {
  switch (target.kind) {
    case "create":
      return <CreateDialog {...dialog} />;
    case "connect":
      return <ConnectBrowserDialog {...dialog} />;
    case "rename":
      return <RenameDialog {...dialog} token={target.token} />;
    case "revoke":
      return <RevokeDialog {...dialog} token={target.token} />;
  }
};
