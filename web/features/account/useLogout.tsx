import { type ReactNode, useState } from "react";
import { createChunk } from "../../loading/chunk.ts";
import { Lazy } from "../../loading/Lazy.tsx";
import { useTask } from "../../react/useAction.ts";
import { useApp, useSignedIn } from "../../react/useApp.ts";

const logoutDialog = createChunk(
  () => import("./LogoutDialog.tsx"),
  (module) => module.LogoutDialog,
);

interface Logout {
  /** Logs out; asks for confirmation first when data would be lost. */
  readonly logOut: () => void;
  readonly isRunning: boolean;
  readonly confirmation: ReactNode;
}

/** The logout action for the buttons in the header and on the account tab (SH1, AC3). */
export const useLogout = (): Logout => {
  const { session } = useApp();
  const { hasUnsentRules, hasWaitingMasks, deletesPrivateKeys } = useSignedIn();
  const { run, isRunning } = useTask(session.logOut);
  const [isConfirming, setConfirming] = useState(false);
  return {
    logOut: () =>
      hasUnsentRules() || hasWaitingMasks() || deletesPrivateKeys() ? setConfirming(true) : run(),
    isRunning,
    confirmation: isConfirming && (
      <Lazy chunk={logoutDialog} skeleton={null}>
        {(LogoutDialog) => (
          <LogoutDialog isLoggingOut={isRunning} onLogOut={run} onCancel={() => setConfirming(false)} />
        )}
      </Lazy>
    ),
  };
};
