import { answerTasks } from "../workers/answerTasks.ts";
import { type ClearMail, sealMail, UnusableKey } from "./sealedMail.ts";

/** Answers null for a key that cannot be encrypted to: only values leave a thread. */
answerTasks((mail: ClearMail) =>
  sealMail(mail).catch((error: unknown) => {
    if (error instanceof UnusableKey) return null;
    throw error;
  }),
);
