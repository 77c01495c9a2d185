import fc from "fast-check";
import type { RuleAction } from "../../../core/rules/model/action.ts";
import type { Condition } from "../../../core/rules/model/condition.ts";
import {
  type ConditionField,
  fieldAliases,
  fieldEntry,
  fieldGroups,
  furtherOperators,
  offeredOperators,
} from "../../../core/rules/model/conditionField.ts";
import { type ConditionNode, groupMatches, maxGroupDepth } from "../../../core/rules/model/conditionGroup.ts";
import type { ValueKind } from "../../../core/rules/model/conditionOperator.ts";
import type { ConditionValue } from "../../../core/rules/model/conditionValue.ts";
import type { Rule } from "../../../core/rules/model/rule.ts";
import { ruleTypes } from "../../../core/rules/model/ruleType.ts";

/** Every field that a condition can have. */
export const conditionFields: readonly ConditionField[] = [
  ...fieldGroups.flatMap(({ fields }) => fields),
  ...(Object.keys(fieldAliases) as ConditionField[]),
];

/** Words as users type them, including some with a meaning in lists. */
export const anyWords: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom("sale", "a, b", '"x"', "Zürich", "50 %", "it's", " spaced ", '",', "日本"),
  fc
    .string({ unit: "grapheme", minLength: 1, maxLength: 12 })
    .filter((text) => text.trim() !== "" && !/[\u0000\p{Surrogate}]/u.test(text)),
);

const anyTime = fc
  .tuple(fc.nat(23), fc.nat(59))
  .map((parts) => parts.map((part) => String(part).padStart(2, "0")).join(":"));

const anyDay = fc
  .date({ min: new Date(0), max: new Date("2099-12-31"), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));

const anyAmount = fc.oneof(
  fc.nat(100),
  fc.integer({ min: 0, max: 400 }).map((quarters) => quarters / 4),
);

const ordered = <A>(pair: fc.Arbitrary<readonly [A, A]>): fc.Arbitrary<readonly [A, A]> =>
  pair.map(([a, b]) => (a <= b ? [a, b] : [b, a]));

const values: Readonly<Record<ValueKind, fc.Arbitrary<ConditionValue>>> = {
  list: fc.array(anyWords, { minLength: 1, maxLength: 5 }),
  text: fc.oneof(
    anyWords.map((words) => words.trim()),
    fc.array(anyWords, { minLength: 1, maxLength: 3 }),
  ),
  pattern: fc.constantFrom("a+b", "^inv-\\d+$", "(sale|offer)"),
  number: anyAmount,
  numberRange: ordered(fc.tuple(anyAmount, anyAmount)),
  date: anyDay,
  dateRange: ordered(fc.tuple(anyDay, anyDay)),
  timeRange: fc.record({
    startTime: anyTime,
    endTime: anyTime,
    timeZone: fc.constantFrom("UTC", "Europe/Zurich", "America/New_York", "Asia/Kolkata"),
  }),
};

const conditionOn = (field: ConditionField): fc.Arbitrary<Condition> =>
  fc
    .constantFrom(...offeredOperators(field), ...furtherOperators(field))
    .chain(({ operator, value: kind }) => {
      const { values: allowed, isNamed } = fieldEntry(field);
      const named = isNamed ? { header: "X-Shop" } : {};
      const one = allowed && fc.constantFrom(...allowed);
      const value = one
        ? kind === "list"
          ? fc.array(one, { minLength: 1, maxLength: 3 })
          : one
        : values[kind];
      return value.map((chosen) => ({ field, ...named, operator, value: chosen }));
    });

export const anyCondition: fc.Arbitrary<Condition> = fc.constantFrom(...conditionFields).chain(conditionOn);

const nodeOf = (depth: number): fc.Arbitrary<ConditionNode> =>
  depth === 0
    ? anyCondition
    : fc.oneof(
        { arbitrary: anyCondition, weight: 3 },
        {
          arbitrary: fc.record({
            match: fc.constantFrom(...groupMatches),
            conditions: fc.array(nodeOf(depth - 1), { minLength: 1, maxLength: 2 }),
          }),
          weight: 1,
        },
      );

/** A condition, or a group of conditions and groups. */
export const anyNode: fc.Arbitrary<ConditionNode> = nodeOf(maxGroupDepth);

const line = anyWords.map((words) => words.replace(/\p{Cc}/gu, "").trim()).filter((words) => words !== "");

const anyAction: fc.Arbitrary<RuleAction> = fc.oneof(
  fc.record({ type: fc.constant("block"), params: fc.record({ silentBlock: fc.boolean() }) }),
  fc.constant({ type: "hold", params: {} }),
  fc.record({
    type: fc.constant("forward"),
    params: fc.record({
      email: fc.emailAddress().map(() => "ada@example.org"),
      immediate: fc.boolean(),
      daily: fc.boolean(),
    }),
  }),
  fc.record({ type: fc.constant("tag"), params: fc.record({ tag: line }) }),
  fc.record({ type: fc.constant("notify"), params: fc.record({ message: fc.oneof(line, fc.constant("")) }) }),
  fc.record({
    type: fc.constant("auto-reply"),
    params: fc.record({ subject: fc.oneof(line, fc.constant("")), message: line }),
  }),
  fc.record({ type: fc.constant("archive"), params: fc.record({ markAsRead: fc.boolean() }) }),
  fc.record({
    type: fc.constant("modify"),
    params: fc.record({ subjectPrefix: line, removeTrackers: fc.boolean() }),
  }),
) as fc.Arbitrary<RuleAction>;

/** A rule as it is sent and stored. */
export const anyRule: fc.Arbitrary<Rule> = fc.record({
  id: fc.nat(999).map((n) => `rule_1_${n}`),
  maskId: fc.constant("mask"),
  name: line,
  type: fc.constantFrom(...ruleTypes),
  enabled: fc.boolean(),
  conditions: fc.array(anyNode, { minLength: 1, maxLength: 4 }),
  actions: fc.array(anyAction, { minLength: 1, maxLength: 3 }),
  createdAt: fc.constant("2026-11-20T09:00:00.000Z"),
  updatedAt: fc.constant("2026-11-20T09:00:00.000Z"),
});

/** Rules with unique ids. */
export const anyRules = (maxLength: number): fc.Arbitrary<readonly Rule[]> =>
  fc.uniqueArray(anyRule, { maxLength, selector: ({ id }) => id });
