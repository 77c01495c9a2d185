import * as E from "fp-ts/lib/Either.js";
import * as t from "io-ts";
import { isActionType } from "../model/actionType.ts";
import { isConditionField } from "../model/conditionField.ts";
import type { GroupMatch } from "../model/conditionGroup.ts";
import { isOperator } from "../model/conditionOperator.ts";
import type { ConditionValue } from "../model/conditionValue.ts";
import { RuleType } from "../model/ruleType.ts";
import type { RuleDraft } from "./ruleDraft.ts";

/** A choice of the editor; empty before the user has chosen. */
const choice = <A extends string>(isChoice: (u: unknown) => u is A): t.Type<A | "", unknown, unknown> =>
  new t.Type(
    "choice",
    (u): u is A | "" => u === "" || isChoice(u),
    (u, context) => (u === "" || isChoice(u) ? t.success(u) : t.failure(u, context)),
    (value) => value,
  );

const StoredTimeRange = t.type({ startTime: t.string, endTime: t.string, timeZone: t.string });

const isConditionValue = (u: unknown): u is ConditionValue =>
  t.union([t.string, t.number, t.array(t.union([t.string, t.number])), StoredTimeRange]).is(u);

const OriginalValue = new t.Type<ConditionValue, unknown, unknown>(
  "value",
  isConditionValue,
  (u, context) => (isConditionValue(u) ? t.success(u) : t.failure(u, context)),
  (value) => value,
);

const StoredCondition = t.intersection([
  t.type({
    id: t.string,
    field: choice(isConditionField),
    operator: choice(isOperator),
    value: t.string,
    until: t.string,
    timeZone: t.string,
  }),
  t.partial({ header: t.string, original: t.type({ typed: t.string, value: OriginalValue }) }),
]);

type StoredNode =
  | t.TypeOf<typeof StoredCondition>
  | {
      readonly id: string;
      readonly match: GroupMatch;
      readonly conditions: readonly StoredNode[];
    };

const StoredNode: t.Type<StoredNode, unknown, unknown> = t.recursion("condition", (node) =>
  t.union([
    t.type({
      id: t.string,
      match: t.keyof({ all: null, any: null, none: null }),
      conditions: t.readonlyArray(node),
    }),
    StoredCondition,
  ]),
);

const Draft = t.intersection([
  t.type({
    name: t.string,
    type: choice(RuleType.is),
    enabled: t.boolean,
    stop: t.boolean,
    conditions: t.readonlyArray(StoredNode),
    actions: t.readonlyArray(
      t.type({
        id: t.string,
        type: choice(isActionType),
        params: t.record(t.string, t.union([t.string, t.boolean])),
      }),
    ),
  }),
  t.partial({ scope: t.string }),
]);

/** Decodes the draft of a rule that was kept for a reload; null when it is none, such as one of an older version. */
export const decodeRuleDraft = (input: unknown): RuleDraft | null => {
  const decoded = Draft.decode(input);
  return E.isRight(decoded) ? (decoded.right as RuleDraft) : null;
};
