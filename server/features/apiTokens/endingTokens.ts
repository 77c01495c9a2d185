import { endNoticeDays } from "../../../core/apiTokens/apiTokenEndpoints.ts";
import { dayMs, hourMs } from "../../../core/kernel/durations.ts";
import type { ServerContext } from "../../context/serverContext.ts";
import { createIntervalTask, type IntervalTask } from "../../platform/ops/interval.ts";
import { addNotification } from "../notifications/notificationQueries.ts";
import { listEndingTokens, markEndNoticed } from "./apiTokenQueries.ts";

const everyMs = hourMs;

const endingMessage = (name: string, expiresAt: number): string =>
  `The API token "${name}" ends on ${new Date(Number(expiresAt)).toISOString().slice(0, 10)}. Create a new one in Settings if its program is still to work.`;

/** Tells the users of tokens that end within `endNoticeDays`, each once, also with several processes. */
export const createEndingTokens = ({
  database,
  clock,
  log,
  feed,
}: Pick<ServerContext, "database" | "clock" | "log" | "feed">): IntervalTask => {
  const notice = async (): Promise<void> => {
    const now = clock.now();
    for (const { id, user_id: userId, name, expires_at } of await listEndingTokens(
      database.db,
      now + endNoticeDays * dayMs,
    )) {
      if (expires_at === null || expires_at <= now) continue;
      const message = endingMessage(name, expires_at);
      await database.transaction(async (db) => {
        if (await markEndNoticed(db, id))
          await addNotification(
            db,
            { userId, type: "security", priority: "normal", message, place: "api-tokens" },
            now,
          );
      });
      feed.wake();
    }
  };
  return createIntervalTask(notice, {
    everyMs,
    failureMessage: "notifying users of ending API tokens failed",
    clock,
    log,
  });
};
