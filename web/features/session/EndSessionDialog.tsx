import { useState } from "react";
import { deviceName } from "../../../core/session/deviceName.ts";
import type { OpenSession } from "../../../core/session/openSessionEndpoints.ts";
import type { OpenSessions } from "../../../core/session/openSessions.ts";
import { ActionDialog } from "../../items/ActionDialog.tsx";
import type { ItemDialogProps } from "../../items/ItemsCard.tsx";
import { Checkbox } from "../../ui/form/Checkbox.tsx";

/** The session to end; null for all except the current one. */
export interface EndSessionTarget {
  readonly session: OpenSession | null;
}

interface EndSessionDialogProps extends ItemDialogProps<EndSessionTarget> {
  readonly sessions: OpenSessions;
}

/** Asks for confirmation before sessions are ended. */
export const EndSessionDialog = ({ sessions, target, ...dialog }: EndSessionDialogProps) => {
  const { session } = target;
  const [revokesTokens, setRevokesTokens] = useState(false);
  return (
    <ActionDialog
      {...dialog}
      title={
        session === null ? "End all other sessions?" : `End the session on ${deviceName(session.userAgent)}?`
      }
      confirmLabel={session === null ? "End all others" : "End session"}
      pendingLabel="Ending…"
      isDanger
      action={() =>
        session === null ? sessions.endOthers({ apiTokens: revokesTokens }) : sessions.end(session.id)
      }
    >
      <p>
        {session === null
          ? "You are logged out everywhere but on this device, and have to log in again there."
          : "Whoever uses it is logged out at once and has to log in again."}
      </p>
      {session === null && (
        <Checkbox
          label="Also revoke all API tokens"
          isChecked={revokesTokens}
          onChange={setRevokesTokens}
          description="Password managers, apps and scripts then need new ones. Choose this if somebody else may have used your account."
        />
      )}
    </ActionDialog>
  );
};
