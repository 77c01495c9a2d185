import * as t from "io-ts";
import { type Failure, isRetryable } from "../../kernel/failure.ts";
import { isSameRule, mergeRules, writtenAt } from "../model/mergeRules.ts";
import { Rule } from "../model/rule.ts";

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
    /** The time of the last change. */
    timestamp: t.number,
    /** The number of consecutive failed attempts. */
    attempts: t.number,
    lastAttempt: t.union([t.number, t.null]),
    lastError: t.union([t.string, t.null]),
  }),
  t.partial({
    /** The request under way or unanswered; it is repeated with the same id until it is answered (D43). */
    sent: t.type({ requestId: t.string, rules: Rules }),
    /** Withdrawn rules that the server may have saved; present, even if empty, until an answer shows what it has. */
    withdrawn: Rules,
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

/** True if the record has changes that the user waits for; what is left of a withdrawn change has none. */
export const hasChanges = ({ rules, base, refused }: PendingRecord): boolean =>
  refused !== undefined || !isSameList(rules, base.rules);

/** True if the server may have rules that this record does not want. */
const isDoubtful = ({ sent, withdrawn }: PendingRecord): boolean =>
  sent !== undefined || withdrawn !== undefined;

const isSaved = (record: PendingRecord): boolean =>
  !isDoubtful(record) && isSameList(record.rules, record.base.rules);

const nullIfSaved = (record: PendingRecord): PendingRecord | null => (isSaved(record) ? null : record);

/**
 * True if a tab knows an older version of the server than the record has, because another tab has loaded since. The server's
 * version of a rule is never replaced by one that was written before.
 */
const isBehind = ({ rules }: VersionedRules, { base }: PendingRecord): boolean => {
  const known = new Map(base.rules.map((rule) => [rule.id, writtenAt(rule)]));
  return rules.some((rule) => writtenAt(rule) < (known.get(rule.id) ?? 0));
};

/**
 * Applies the pending changes to the server's current rules; does nothing while an answer is awaited, or to rules that are
 * older than the record's own: a rule deleted in one tab came back by a change in another that had not loaded since.
 */
export const rebaseRecord = (record: PendingRecord, fromServer: VersionedRules): PendingRecord | null => {
  const isKnown = record.base.etag !== null && record.base.etag === fromServer.etag;
  if (isDoubtful(record) || isKnown || isBehind(fromServer, record)) return record;
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

/**
 * Withdraws a change made on `base` that has failed at the server, so that it is not sent again; other changes stay
 * pending, and so do those that the server has taken from elsewhere meanwhile. When the server may have saved it nevertheless, the record remains until the next answer says so: rules that the change has
 * added are then removed, because its form still has them, and what it has edited or deleted is shown as it is.
 */
export const withdrawChange = (
  record: PendingRecord,
  base: VersionedRules,
  { before, rules }: RuleChange,
): PendingRecord | null => {
  const { sent, withdrawn = [], refused: _, ...rest } = record;
  const idsOf = (list: readonly Rule[]): ReadonlySet<Rule["id"]> => new Set(list.map(({ id }) => id));
  const known = idsOf(before);
  const changed = idsOf(rules);
  const pending = idsOf(record.rules);
  const added = rules.filter(({ id }) => !known.has(id));
  const unchanged = mergeRules(base.rules, before, record.base.rules);
  const isDeletedSince = ({ id }: Rule): boolean => changed.has(id) && !pending.has(id);
  return nullIfSaved({
    ...rest,
    rules: mergeRules(rules, unchanged, record.rules).filter((rule) => !isDeletedSince(rule)),
    ...(isDoubtful(record) && { withdrawn: [...withdrawn, ...added] }),
  });
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
  const { sent, withdrawn, refused: _, ...rest } = record;
  if (sent === undefined || sent.requestId !== requestId) return record;
  const isUnwanted = (rule: Rule): boolean =>
    withdrawn?.some((one) => one.id === rule.id && isSameRule(one, rule)) === true;
  return nullIfSaved({
    ...rest,
    base: fromServer,
    rules: mergeRules(sent.rules, record.rules, fromServer.rules).filter((rule) => !isUnwanted(rule)),
    attempts: 0,
    lastError: null,
  });
};

/** The most times that the rules of a mask are sent to learn what became of a change that was taken back. */
const maxCleanUps = 4;

/**
 * Records a failed request. After a refusal nothing was saved, so the next attempt is a new request; without
 * an answer the same request is repeated. A failure that a retry cannot solve waits for the user; null when there is
 * no change to wait for, or when the server keeps refusing to say what became of one that was taken back.
 */
export const markFailed = (
  record: PendingRecord,
  requestId: string,
  failure: Failure,
  reason: string,
): PendingRecord | null => {
  const { sent, ...rest } = record;
  if (sent === undefined || sent.requestId !== requestId) return record;
  const counted = { ...rest, attempts: record.attempts + 1, lastError: reason };
  if (failure.kind === "refused" && counted.attempts >= maxCleanUps && !hasChanges(counted)) return null;
  if (isRetryable(failure)) {
    const isNotSaved = failure.kind === "refused" && failure.status < 500;
    return isNotSaved ? counted : { ...counted, sent };
  }
  return hasChanges(counted)
    ? { ...counted, refused: failure.kind === "refused" ? failure.status : 0 }
    : null;
};

/** Returns the rules as the user sees them: the server's with the pending changes, if any. */
export const shownRules = (fromServer: VersionedRules, record: PendingRecord | null): readonly Rule[] => {
  if (record === null) return fromServer.rules;
  if (isDoubtful(record) || isBehind(fromServer, record)) return record.rules;
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
