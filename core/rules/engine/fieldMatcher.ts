import type { CompilePattern } from "../../ports/patterns.ts";
import type { Condition } from "../model/condition.ts";
import { type FieldKind, type FieldSource, fieldEntry } from "../model/conditionField.ts";
import type { Reason } from "./explanation.ts";
import type { ComparedMail } from "./facts.ts";

/** A condition prepared for matching many mails. */
export interface ConditionMatcher {
  readonly condition: Condition;
  readonly matches: (mail: ComparedMail) => boolean;
  /** True if nothing can be said about this mail, so that the opposite does not hold either. */
  readonly isUnknown: (mail: ComparedMail) => boolean;
  readonly readActual: (mail: ComparedMail) => string | number | null;
  /** Returns the reason for which the condition cannot match any mail, or not this one. */
  readonly reason: (mail: ComparedMail) => Reason | null;
}

/** Reads a part of a mail; null when the mail has none. */
export type Read<A> = (mail: ComparedMail) => A | null;

/** Prepares the conditions of a field. */
export interface FieldMatcher<K extends FieldKind> {
  readonly kind: K;
  readonly create: (condition: Condition, compile: CompilePattern) => ConditionMatcher;
}

/**
 * The reason for which a field has no value, by its source; null where it always has one or the rule is not evaluated without it.
 */
const missingReasons: Readonly<Record<FieldSource, Reason | null>> = {
  header: "no-header",
  text: null,
  attachments: "no-attachment",
  size: null,
  proof: "not-checked",
  classifier: "no-category",
  clock: null,
  mask: "no-label",
  history: "no-earlier-mail",
  month: null,
};

/** Returns why a mail has no value for a condition; null when it has one. */
export const missingReason = ({ field }: Condition, actual: string | number | null): Reason | null =>
  actual === null ? missingReasons[fieldEntry(field).source] : null;

/** The reason of conditions that can always be compared. */
export const noReason = (): null => null;

/** A condition that can be answered for every mail. */
export const neverUnknown = (): boolean => false;

/** Creates the matcher of a condition that never matches: a value of the wrong kind, or an unusable expression. */
export const neverMatching = (condition: Condition, reason: Reason | null): ConditionMatcher => ({
  condition,
  matches: () => false,
  isUnknown: () => true,
  readActual: noReason,
  reason: () => reason,
});
