import { dayMs, hourMs } from "../../../core/kernel/durations.ts";
import type { ServerContext } from "../../context/serverContext.ts";
import { createIntervalTask, type IntervalTask } from "../../platform/ops/interval.ts";
import { addNotification } from "../notifications/notificationQueries.ts";
import {
  type EndingKey,
  hasLongerKey,
  listEndingKeys,
  listUnreadKeys,
  markEndNoticed,
  setKeyEnd,
} from "./keyEndQueries.ts";

/** The numbers of days before the end of a key at which its owner is notified, the last notice first. */
const keyEndNotices = [3, 30] as const;

const everyMs = hourMs;
/** Keys from before their ends were stored; each takes some milliseconds. */
const readAtOnce = 100;

const endingMessage = ({ email, fingerprint, expiresAt }: EndingKey, hasLonger: boolean): string => {
  const whose = email === "" ? "your mail" : `mail to ${email}`;
  const until = new Date(expiresAt).toISOString().slice(0, 10);
  const key = `The key ${fingerprint.slice(-8)} that ${whose} is encrypted to ends on ${until}.`;
  return hasLonger
    ? `${key} From then on it is encrypted to your other keys alone. Extend the key or add a new one in Settings.`
    : `${key} From then on nothing is forwarded and senders retry later, until you extend the key or set up a new one in Settings.`;
};

/** Tells owners of keys in use that end, a month and again three days before, each once, also with several processes. */
export const createEndingKeys = ({
  database,
  clock,
  log,
  feed,
}: Pick<ServerContext, "database" | "clock" | "log" | "feed">): IntervalTask => {
  const readEnds = async (): Promise<void> => {
    const unread = await listUnreadKeys(database.db, readAtOnce);
    if (unread.length === 0) return;
    const { storedKeyEnd } = await import("../../platform/openpgp/encryptionEnd.ts");
    for (const key of unread)
      await setKeyEnd(database.db, key, await storedKeyEnd(key.publicKey, new Date(clock.now())));
  };

  const notice = async (days: number): Promise<void> => {
    const now = clock.now();
    for (const key of await listEndingKeys(database.db, { now, before: now + days * dayMs, days })) {
      const { userId } = key;
      const priority = days === keyEndNotices[0] ? "high" : "normal";
      await database.transaction(async (db) => {
        const message = endingMessage(key, await hasLongerKey(db, key));
        if (await markEndNoticed(db, key, days))
          await addNotification(db, { userId, type: "security", priority, message }, now);
      });
      feed.wake();
    }
  };

  const run = async (): Promise<void> => {
    await readEnds();
    for (const days of keyEndNotices) await notice(days);
  };
  return createIntervalTask(run, {
    everyMs,
    failureMessage: "notifying users of ending keys failed",
    clock,
    log,
  });
};
