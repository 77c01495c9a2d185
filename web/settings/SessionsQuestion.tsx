import { deviceName } from "../../core/session/deviceName.ts";
import type { OpenSession } from "../../core/session/openSessionEndpoints.ts";
import type { OpenSessions } from "../../core/session/openSessions.ts";
import { useAction } from "../binding/useAction.ts";
import { ConfirmDialog } from "../ui/ConfirmDialog.tsx";
import { ProblemBanner } from "../ui/ProblemBanner.tsx";

/** Which session is to be ended; null for all but this device's. */
export interface SessionQuestion {
  readonly session: OpenSession | null;
}

interface SessionsQuestionProps {
  readonly sessions: OpenSessions;
  readonly question: SessionQuestion;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Asks before a session is ended. */
export const SessionsQuestion = ({ sessions, question, isOpen, onClose }: SessionsQuestionProps) => {
  const { session } = question;
  const end = useAction(session === null ? sessions.endOthers : () => sessions.end(session.id), {
    onSuccess: onClose,
  });
  const close = (): void => {
    end.forget();
    onClose();
  };
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title={
        session === null ? "End all other sessions?" : `End the session on ${deviceName(session.userAgent)}?`
      }
      confirmLabel={session === null ? "End all others" : "End session"}
      pendingLabel="Ending…"
      isDanger
      isPending={end.isRunning}
      onConfirm={() => end.run()}
      onCancel={close}
    >
      <p>
        {session === null
          ? "Everywhere but on this device you are signed out at once and have to sign in again."
          : "Whoever uses it there is signed out at once and has to sign in again."}
      </p>
      <ProblemBanner problem={end.problem} />
    </ConfirmDialog>
  );
};
