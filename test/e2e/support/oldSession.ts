import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { lockWaitMs } from "../../support/limits.ts";
import type { RunningServer } from "./server.ts";

/** Lets all sessions have begun long ago. */
export const ageSessions = ({ dataDir }: Pick<RunningServer, "dataDir">): void => {
  const database = new DatabaseSync(join(dataDir, "bauta.db"), { timeout: lockWaitMs });
  database.exec("update sessions set created_at = 0, proven_at = null");
  database.close();
};
