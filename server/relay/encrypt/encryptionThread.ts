import { handleTasks } from "../../platform/workers/workerThread.ts";
import { type EncryptionTask, encryptToKey, UnusableKey } from "./pgpMime.ts";

/** Null for an expired or revoked key, because error classes do not survive the thread boundary. */
handleTasks((mail: EncryptionTask) =>
  encryptToKey(mail).catch((error: unknown) => {
    if (error instanceof UnusableKey) return null;
    throw error;
  }),
);
