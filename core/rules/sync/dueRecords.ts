import { ageMs } from "../../kernel/age.ts";
import { attemptDelayMs } from "../../kernel/attemptDelay.ts";
import type { PendingRecord } from "./pendingRecord.ts";
import type { SyncReason } from "./syncStep.ts";

type Records = Readonly<Record<string, PendingRecord>>;

const unrefused = (records: Records): readonly (readonly [string, PendingRecord])[] =>
  Object.entries(records).filter(([, { refused }]) => refused === undefined);

/** True if there is a record that is sent by itself. */
export const hasUnrefused = (records: Records): boolean => unrefused(records).length > 0;

/**
 * Returns in how many milliseconds a record is due; a record without an attempt is left to the tab that made it for one
 * interval.
 */
const dueAfterMs = (
  { lastAttempt, timestamp, attempts }: PendingRecord,
  intervalMs: number,
  fraction: number,
  now: number,
): number => {
  const delayMs =
    lastAttempt === null ? intervalMs : attemptDelayMs(Math.max(1, attempts), intervalMs, fraction);
  return Math.max(0, delayMs - ageMs(lastAttempt ?? timestamp, now));
};

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
    dueAfterMs(record, intervalMs, 0, now) === 0;
  return unrefused(records).flatMap(([maskId, record]) => (isDue(record) ? [maskId] : []));
};

/** Returns in how many milliseconds the next record is due, some of it left to chance; infinity without a record. */
export const nextDueAfterMs = (records: Records, intervalMs: number, fraction: number, now: number): number =>
  Math.min(...unrefused(records).map(([, record]) => dueAfterMs(record, intervalMs, fraction, now)));
