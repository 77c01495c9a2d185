import { handleTasks } from "../workers/workerThread.ts";
import { type EncryptionTask, encryptToKey, UnusableKey } from "./pgpMime.ts";

/**
 * Returns null for a key that has expired or was revoked, because error classes do not survive the thread boundary.
 */
handleTasks((mail: EncryptionTask) =>
  encryptToKey(mail).catch((error: unknown) => {
    if (error instanceof UnusableKey) return null;
    throw error;
  }),
);
