import { answerTasks } from "../workers/answerTasks.ts";
import { type ClearMail, encryptMail, UnusableKey } from "./encryptedMail.ts";

/** Answers null for a key that cannot be encrypted to: only values leave a thread. */
answerTasks((mail: ClearMail) =>
  encryptMail(mail).catch((error: unknown) => {
    if (error instanceof UnusableKey) return null;
    throw error;
  }),
);
