import { attemptDelayMs, type PendingRecord } from "./pendingRecord.ts";
import type { SyncReason } from "./syncStep.ts";

type Records = Readonly<Record<string, PendingRecord>>;

const unrefused = (records: Records): readonly (readonly [string, PendingRecord])[] =>
  Object.entries(records).filter(([, { refused }]) => refused === undefined);

/** Whether there is a record that is sent by itself. */
export const hasUnrefused = (records: Records): boolean => unrefused(records).length > 0;

/** Returns when a record is due; a record without an attempt is left to the tab that made it for one interval. */
const dueAt = (
  { lastAttempt, timestamp, attempts }: PendingRecord,
  intervalMs: number,
  fraction: number,
): number =>
  lastAttempt === null
    ? timestamp + intervalMs
    : lastAttempt + attemptDelayMs(Math.max(1, attempts), intervalMs, fraction);

/** Returns the masks whose records are sent for this reason; by hand also those that were refused. */
export const dueMasks = (
  records: Records,
  reason: SyncReason,
  intervalMs: number,
  now: number,
): readonly string[] => {
  if (reason === "by-hand") return Object.keys(records);
  const isDue = (record: PendingRecord): boolean =>
    reason === "online" ||
    (reason === "edit" && record.attempts === 0) ||
    dueAt(record, intervalMs, 0) <= now;
  return unrefused(records).flatMap(([maskId, record]) => (isDue(record) ? [maskId] : []));
};

/** Returns when the next record is due, some of its delay left to chance; infinity without a record. */
export const nextDueAt = (records: Records, intervalMs: number, fraction: number): number =>
  Math.min(...unrefused(records).map(([, record]) => dueAt(record, intervalMs, fraction)));
