import { type ReactNode, useState } from "react";
import { createChunk } from "../loading/chunk.ts";
import { Late } from "../loading/Late.tsx";
import { useTask } from "../react/useAction.ts";
import { useApp } from "../react/useApp.ts";

const logoutDialog = createChunk(
  () => import("./LogoutDialog.tsx"),
  (module) => module.LogoutDialog,
);

interface Logout {
  /** Logs out; asks for confirmation first when data would be lost. */
  readonly logOut: () => void;
  readonly isRunning: boolean;
  /** The confirmation dialog, rendered beside the button. */
  readonly confirmation: ReactNode;
}

/** The logout action for the buttons in the header and on the account tab (SH1, AC3). */
export const useLogout = (): Logout => {
  const { session, unsavedWarning, deletesPrivateKeys } = useApp();
  const { run, isRunning } = useTask(session.logOut);
  const [isConfirming, setConfirming] = useState(false);
  return {
    logOut: () => (unsavedWarning() === null && !deletesPrivateKeys() ? run() : setConfirming(true)),
    isRunning,
    confirmation: isConfirming && (
      <Late
        chunk={logoutDialog}
        skeleton={null}
        isLoggingOut={isRunning}
        onLogOut={run}
        onCancel={() => setConfirming(false)}
      />
    ),
  };
};
