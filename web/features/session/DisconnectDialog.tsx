import type { Identities } from "../../../core/session/identities.ts";
import type { Identity } from "../../../core/session/identityEndpoints.ts";
import { ActionDialog } from "../../items/ActionDialog.tsx";
import type { ItemDialogProps } from "../../items/ItemsCard.tsx";

interface DisconnectDialogProps extends ItemDialogProps<Identity> {
  readonly identities: Identities;
}

/** Asks for confirmation before an identity is disconnected. */
export const DisconnectDialog = ({ identities, target, ...dialog }: DisconnectDialogProps) => (
  <ActionDialog
    {...dialog}
    title={`Disconnect ${target.provider}?`}
    confirmLabel="Disconnect"
    pendingLabel="Disconnecting…"
    isDanger
    action={() => identities.disconnect(target.id)}
  >
    <p>
      Other sessions that began with it end at once. When you continue with {target.provider} again, a code
      sent to your address connects it anew.
    </p>
  </ActionDialog>
);
