import { type ReactNode, useState } from "react";
import { useTask } from "../binding/useAction.ts";
import { useApp } from "../binding/useApp.ts";
import { makeChunk } from "../loading/chunk.ts";
import { Late } from "../loading/Late.tsx";

const logOutQuestion = makeChunk(
  () => import("./LogOutQuestion.tsx"),
  (module) => module.LogOutQuestion,
);

interface LogOut {
  /** Logs out; asks first where that would lose something. */
  readonly ask: () => void;
  readonly isRunning: boolean;
  /** Stands beside the button. */
  readonly question: ReactNode;
}

/** The way out, the same wherever there is a button for it (SH1, AC3). */
export const useLogOut = (): LogOut => {
  const { session, unsaved, losesKeys } = useApp();
  const { run, isRunning } = useTask(session.logOut);
  const [isAsking, setAsking] = useState(false);
  return {
    ask: () => (unsaved() === null && !losesKeys() ? run() : setAsking(true)),
    isRunning,
    question: isAsking && (
      <Late
        chunk={logOutQuestion}
        skeleton={null}
        isLoggingOut={isRunning}
        onLogOut={run}
        onStay={() => setAsking(false)}
      />
    ),
  };
};
