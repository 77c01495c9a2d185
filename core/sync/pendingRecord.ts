import * as t from "io-ts";
import type { Failure } from "../kernel/failure.ts";
import { isSameRule, mergeRules } from "../rules/model/mergeRules.ts";
import { Rule } from "../rules/model/rule.ts";
import { isRetryable } from "./saveFailure.ts";

const Rules = t.readonlyArray(Rule as t.Type<Rule, unknown, unknown>);

/** A mask's rules as the server has them, with the etag of this version. */
export const VersionedRules = t.type({ etag: t.union([t.string, t.null]), rules: Rules });
export type VersionedRules = Readonly<t.TypeOf<typeof VersionedRules>>;

/** The unsaved changes of one mask's rules (SY2). Times are in milliseconds since 1970. */
export const PendingRecord = t.intersection([
  t.type({
    /** The whole list as the user wants it. */
    rules: Rules,
    /** The server's version when the first of these changes was made. */
    base: VersionedRules,
    /** When the last change was made. */
    timestamp: t.number,
    /** The number of consecutive failed attempts. */
    attempts: t.number,
    lastAttempt: t.union([t.number, t.null]),
    lastError: t.union([t.string, t.null]),
  }),
  t.partial({
    /** The request under way or unanswered; it is repeated with the same id until it is answered (D43). */
    sent: t.type({ requestId: t.string, rules: Rules }),
    /** The status of a refusal that a retry cannot solve. */
    refused: t.number,
  }),
]);
export type PendingRecord = Readonly<t.TypeOf<typeof PendingRecord>>;

/** All unsaved changes of one user, by mask. Records of another user are ignored (D45). */
export const PendingSync = t.type({ owner: t.string, masks: t.record(t.string, PendingRecord) });
export type PendingSync = Readonly<t.TypeOf<typeof PendingSync>>;

/** A change: the list as the user saw it, and as the user left it. */
export interface RuleChange {
  readonly before: readonly Rule[];
  readonly rules: readonly Rule[];
}

const isSameList = (a: readonly Rule[], b: readonly Rule[]): boolean =>
  a.length === b.length &&
  a.every((rule, n) => {
    const other = b[n];
    return other !== undefined && other.id === rule.id && isSameRule(rule, other);
  });

const isSaved = ({ rules, base, sent }: PendingRecord): boolean =>
  sent === undefined && isSameList(rules, base.rules);

const nullIfSaved = (record: PendingRecord): PendingRecord | null => (isSaved(record) ? null : record);

/** Applies the pending changes to the server's current rules; does nothing while an answer is awaited. */
export const rebaseRecord = (record: PendingRecord, fromServer: VersionedRules): PendingRecord | null => {
  if (record.sent !== undefined || (record.base.etag !== null && record.base.etag === fromServer.etag))
    return record;
  const rules = mergeRules(record.base.rules, record.rules, fromServer.rules);
  return nullIfSaved({ ...record, base: fromServer, rules });
};

/**
 * Adds a change to the record, which may contain changes of another tab. A refused record becomes sendable again.
 * Returns null when nothing is left to save.
 */
export const addChange = (
  record: PendingRecord | null,
  fromServer: VersionedRules,
  { before, rules }: RuleChange,
  now: number,
): PendingRecord | null => {
  const rebased = record === null ? null : rebaseRecord(record, fromServer);
  if (rebased === null)
    return nullIfSaved({
      rules: mergeRules(before, rules, fromServer.rules),
      base: fromServer,
      timestamp: now,
      attempts: 0,
      lastAttempt: null,
      lastError: null,
    });
  const { refused: _, ...rest } = rebased;
  return nullIfSaved({ ...rest, rules: mergeRules(before, rules, rest.rules), timestamp: now, attempts: 0 });
};

/** Marks the record as being sent; an unanswered request keeps its id and its content. */
export const markSending = (
  record: PendingRecord,
  newId: () => string,
  now: number,
): PendingRecord & Required<Pick<PendingRecord, "sent">> => ({
  ...record,
  sent: record.sent ?? { requestId: newId(), rules: record.rules },
  lastAttempt: now,
});

/**
 * Removes what the server has saved; `fromServer` is the new version. Changes made meanwhile stay pending; null when
 * there are none.
 */
export const markSaved = (
  record: PendingRecord,
  requestId: string,
  fromServer: VersionedRules,
): PendingRecord | null => {
  const { sent, refused: _, ...rest } = record;
  if (sent === undefined || sent.requestId !== requestId) return record;
  return nullIfSaved({
    ...rest,
    base: fromServer,
    rules: mergeRules(sent.rules, record.rules, fromServer.rules),
    attempts: 0,
    lastError: null,
  });
};

/**
 * Records a failed request. After a refusal nothing was saved, so the next attempt is a new request; without
 * an answer the same request is repeated. A failure that a retry cannot solve waits for the user.
 */
export const markFailed = (
  record: PendingRecord,
  requestId: string,
  failure: Failure,
  reason: string,
): PendingRecord => {
  const { sent, ...rest } = record;
  if (sent === undefined || sent.requestId !== requestId) return record;
  const counted = { ...rest, attempts: record.attempts + 1, lastError: reason };
  if (isRetryable(failure)) {
    const isNotSaved = failure.kind === "refused" && failure.status < 500;
    return isNotSaved ? counted : { ...counted, sent };
  }
  return { ...counted, refused: failure.kind === "refused" ? failure.status : 0 };
};

const firstWaitMs = 2_000;

/**
 * Returns the wait after the last attempt, in milliseconds: 2 s, 4 s, 8 s and so on ±20 %, at most the check interval
 * (D14). `fraction` is in [0, 1).
 */
export const retryDelayMs = (attempts: number, checkEachMs: number, fraction: number): number =>
  attempts === 0
    ? 0
    : Math.min(
        Math.round(firstWaitMs * 2 ** Math.min(attempts - 1, 10) * (0.8 + 0.4 * fraction)),
        checkEachMs,
      );

/** Returns the rules as the user sees them: the server's with the pending changes, if any. */
export const shownRules = (fromServer: VersionedRules, record: PendingRecord | null): readonly Rule[] => {
  if (record === null) return fromServer.rules;
  if (record.sent !== undefined) return record.rules;
  return mergeRules(record.base.rules, record.rules, fromServer.rules);
};

/** Returns the ids of rules that differ from the server's version; they are shown as local (RU3). */
export const localOnlyIds = (record: PendingRecord | null): ReadonlySet<Rule["id"]> => {
  const baseRules = new Map(record?.base.rules.map((rule) => [rule.id, rule]));
  const isLocal = (rule: Rule): boolean => {
    const previous = baseRules.get(rule.id);
    return previous === undefined || !isSameRule(previous, rule);
  };
  return new Set((record?.rules ?? []).filter(isLocal).map(({ id }) => id));
};
