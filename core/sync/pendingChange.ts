import type { Failure } from "../kernel/failure.ts";
import { isSameRule, mergeRules } from "../rules/mergeRules.ts";
import type { Rule } from "../rules/rule.ts";
import { mayHeal } from "./offline.ts";
import type { KnownRules, PendingRecord } from "./pendingRecord.ts";

/** A change as somebody made it: the list they saw, and what they made of it. */
export interface RuleChange {
  readonly seen: readonly Rule[];
  readonly rules: readonly Rule[];
}

const isSameList = (a: readonly Rule[], b: readonly Rule[]): boolean =>
  a.length === b.length &&
  a.every((rule, n) => {
    const other = b[n];
    return other !== undefined && other.id === rule.id && isSameRule(rule, other);
  });

/** Nothing is left to be saved. */
const isDone = ({ rules, base, sent }: PendingRecord): boolean =>
  sent === undefined && isSameList(rules, base.rules);

const unlessDone = (record: PendingRecord): PendingRecord | null => (isDone(record) ? null : record);

/** Puts the same changes on top of what the server has now; not while an answer is out. */
export const rebased = (record: PendingRecord, known: KnownRules): PendingRecord | null => {
  if (record.sent !== undefined || (record.base.etag !== null && record.base.etag === known.etag))
    return record;
  const rules = mergeRules(record.base.rules, record.rules, known.rules);
  return unlessDone({ ...record, base: known, rules });
};

/**
 * Writes a change down, beside what another tab has written meanwhile. Somebody has looked at it again, so a refused
 * record is tried again. null: the change takes back all there was to save.
 */
export const edited = (
  record: PendingRecord | null,
  known: KnownRules,
  { seen, rules }: RuleChange,
  now: number,
): PendingRecord | null => {
  const start = record === null ? null : rebased(record, known);
  if (start === null)
    return unlessDone({
      rules: mergeRules(seen, rules, known.rules),
      base: known,
      timestamp: now,
      attempts: 0,
      lastAttempt: null,
      lastError: null,
    });
  const { refused: _, ...rest } = start;
  return unlessDone({ ...rest, rules: mergeRules(seen, rules, rest.rules), timestamp: now, attempts: 0 });
};

/** Names what is sent now; what was sent before and not answered keeps its name and its content. */
export const begun = (
  record: PendingRecord,
  newId: () => string,
  now: number,
): PendingRecord & Required<Pick<PendingRecord, "sent">> => ({
  ...record,
  sent: record.sent ?? { requestId: newId(), rules: record.rules },
  lastAttempt: now,
});

/** The server has saved what was sent, and tells what it has now. What was changed meanwhile is still to be saved. */
export const answered = (
  record: PendingRecord,
  requestId: string,
  known: KnownRules,
): PendingRecord | null => {
  const { sent, refused: _, ...rest } = record;
  if (sent === undefined || sent.requestId !== requestId) return record;
  return unlessDone({
    ...rest,
    base: known,
    rules: mergeRules(sent.rules, record.rules, known.rules),
    attempts: 0,
    lastError: null,
  });
};

/**
 * What was sent has failed. A refusal says for certain that nothing was saved, so the next try is another request;
 * without one the same request is sent again. What trying again will not heal waits for somebody to look at it.
 */
export const failed = (
  record: PendingRecord,
  requestId: string,
  failure: Failure,
  reason: string,
): PendingRecord => {
  const { sent, ...rest } = record;
  if (sent === undefined || sent.requestId !== requestId) return record;
  const counted = { ...rest, attempts: record.attempts + 1, lastError: reason };
  if (mayHeal(failure)) {
    const isCertain = failure.kind === "refused" && failure.status < 500;
    return isCertain ? counted : { ...counted, sent };
  }
  return { ...counted, refused: failure.kind === "refused" ? failure.status : 0 };
};

const firstWaitMs = 2_000;

/**
 * How long a record waits after its last try, in milliseconds: 2 s, 4 s, 8 s and so on, at most the time between two
 * checks (D14), ±20 % by chance. `fraction` in [0, 1).
 */
export const waitMs = (attempts: number, checkEachMs: number, fraction: number): number =>
  attempts === 0
    ? 0
    : Math.min(
        Math.round(firstWaitMs * 2 ** Math.min(attempts - 1, 10) * (0.8 + 0.4 * fraction)),
        checkEachMs,
      );

/** What a list looks like to its owner: the server's, with what is not saved yet; null for `record` means all is. */
export const shownRules = (known: KnownRules, record: PendingRecord | null): readonly Rule[] => {
  if (record === null) return known.rules;
  if (record.sent !== undefined) return record.rules;
  return mergeRules(record.base.rules, record.rules, known.rules);
};

/** Rules that nobody but this device has as they are: they are shown as local (RU3). */
export const localOnlyIds = (record: PendingRecord | null): ReadonlySet<Rule["id"]> => {
  const before = new Map(record?.base.rules.map((rule) => [rule.id, rule]));
  const isLocal = (rule: Rule): boolean => {
    const was = before.get(rule.id);
    return was === undefined || !isSameRule(was, rule);
  };
  return new Set((record?.rules ?? []).filter(isLocal).map(({ id }) => id));
};
