import type { Identities } from "../../../core/session/identities.ts";
import type { Identity } from "../../../core/session/identityEndpoints.ts";
import { useFormAction } from "../../react/useAction.ts";
import { ConfirmDialog } from "../../ui/overlay/ConfirmDialog.tsx";

interface DisconnectDialogProps {
  readonly identities: Identities;
  readonly identity: Identity;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Asks for confirmation before an identity is disconnected. */
export const DisconnectDialog = ({ identities, identity, isOpen, onClose }: DisconnectDialogProps) => {
  const disconnect = useFormAction(() => identities.disconnect(identity.id), { onSuccess: onClose });
  const close = (): void => {
    disconnect.clearProblem();
    onClose();
  };
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title={`Disconnect ${identity.provider}?`}
      confirmLabel="Disconnect"
      pendingLabel="Disconnecting…"
      isDanger
      isPending={disconnect.isRunning}
      onConfirm={() => disconnect.run()}
      onCancel={close}
      problem={disconnect.problem}
    >
      <p>
        Other sessions that began with it end at once. When you continue with {identity.provider} again, a
        code sent to your address connects it anew.
      </p>
    </ConfirmDialog>
  );
};
