import { useState } from "react";
import type { App } from "../../core/app.ts";
import { useTask } from "../binding/useAction.ts";
import { useApp } from "../binding/useApp.ts";
import { makeChunk } from "../loading/chunk.ts";
import { Late } from "../loading/Late.tsx";
import { IconButton } from "../ui/IconButton.tsx";
import { LogoutIcon } from "../ui/icons/LogoutIcon.tsx";

const logOutQuestion = makeChunk(
  () => import("./LogOutQuestion.tsx"),
  (module) => module.LogOutQuestion,
);

/** The way out (SH1); it asks first where that would lose something. */
export const LogOutButton = ({ onLogOut }: { readonly onLogOut: App["session"]["logOut"] }) => {
  const { unsaved } = useApp();
  const logOut = useTask(onLogOut);
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <IconButton
        label="Log out"
        icon={<LogoutIcon />}
        onPress={() => (unsaved() === null ? logOut.run() : setAsking(true))}
        isPending={logOut.isRunning}
      />
      {isAsking && (
        <Late
          chunk={logOutQuestion}
          skeleton={null}
          isLoggingOut={logOut.isRunning}
          onLogOut={logOut.run}
          onStay={() => setAsking(false)}
        />
      )}
    </>
  );
};
