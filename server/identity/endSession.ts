import type { Database, Db } from "../store/database.ts";
import { appendEvent } from "../store/events.ts";
import { forgetAnswers } from "../store/idempotentAnswers.ts";
import { addNotification } from "../store/notifications.ts";
import { deleteSession } from "../store/sessions.ts";

/** Told to the sockets of every process when a session has ended; `resourceId` is the session's. */
export const sessionEnded = { resource: "session", action: "ended" } as const;

interface Ending {
  readonly userId: string;
  readonly sessionId: string;
  readonly now: number;
}

/** Ends a user's session inside a transaction: the row, what it was answered, its sockets. False when there was none. */
export const endSession = async (db: Db, { userId, sessionId, now }: Ending): Promise<boolean> => {
  if (!(await deleteSession(db, userId, sessionId))) return false;
  await forgetAnswers(db, sessionId);
  await appendEvent(db, { ...sessionEnded, userId, resourceId: sessionId }, now);
  return true;
};

const warning =
  "One of your sessions was ended because an outdated copy of its key was used: somebody may have copied it. Sign in again there, and end every session that you do not know.";

/** Ends a session whose key was copied, and tells its owner (D41). */
export const endStolenSession = (database: Database, ending: Ending): Promise<void> =>
  database.transaction(async (db) => {
    if (!(await endSession(db, ending))) return;
    const { userId, now } = ending;
    await addNotification(db, { userId, type: "security", priority: "high", message: warning }, now);
  });
