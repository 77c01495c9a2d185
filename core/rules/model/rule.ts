import * as t from "io-ts";
import { nameCodec, refined } from "../../api/textCodecs.ts";
import { RuleAction } from "./action.ts";
import { PartId } from "./condition.ts";
import { ConditionNode, leavesOf } from "./conditionGroup.ts";
import { RuleType } from "./ruleType.ts";

export type RuleId = string;

/** The most conditions and actions of a rule. */
export const maxConditions = 20;
export const maxActions = 10;

/** The name that the owner gives to a rule, at most 100 characters. */
export const RuleName = nameCodec("Rule name");

const booleanWithDefault = (defaultValue: boolean): t.Type<boolean, boolean, unknown> =>
  new t.Type(
    "yes or no",
    t.boolean.is,
    (u, context) => t.boolean.validate(u ?? defaultValue, context),
    (value) => value,
  );

const nonEmptyList = <A>(
  codec: t.Type<A, A, unknown>,
  itemName: string,
  max: number,
  count: (list: readonly A[]) => number = (list) => list.length,
): t.Type<readonly A[], readonly A[], unknown> =>
  refined(
    refined(
      t.readonlyArray(codec, `${itemName}s`),
      (list) => list.length > 0,
      `At least one valid ${itemName} is required`,
    ),
    (list) => count(list) <= max,
    `A rule can have at most ${max} ${itemName}s. Remove one, or create a second rule.`,
  );

const countConditions = (nodes: readonly ConditionNode[]): number => leavesOf(nodes).length;

const IsoDate = refined(t.string, (text) => !Number.isNaN(Date.parse(text)), "Expected a date in ISO 8601");

const MetadataValue = t.union([
  refined(t.string, (text) => text.length <= 1_000, "Too long"),
  t.number,
  t.boolean,
  t.null,
]);

const maxRemarks = 20;

const Metadata = refined(
  t.record(t.string, MetadataValue),
  (remarks) => Object.keys(remarks).length <= maxRemarks,
  `At most ${maxRemarks} remarks can be kept with a rule`,
);

/** The treatment of some of a mask's mail (RU3); `metadata.stop` ends the evaluation (D30). Dates are ISO 8601. */
export const Rule = t.exact(
  t.intersection(
    [
      t.type({
        id: refined(PartId, (id) => id !== "", "A rule needs an id"),
        name: RuleName,
        type: RuleType,
        enabled: booleanWithDefault(true),
        conditions: nonEmptyList(ConditionNode, "condition", maxConditions, countConditions),
        actions: nonEmptyList(RuleAction, "action", maxActions),
      }),
      t.partial({ maskId: t.string, metadata: Metadata, createdAt: IsoDate, updatedAt: IsoDate }),
    ],
    "rule",
  ),
);
export type Rule = Readonly<t.TypeOf<typeof Rule>>;

/** True if this rule ends the evaluation of the list when it applies. */
export const endsEvaluation = (rule: Rule): boolean => rule.metadata?.["stop"] === true;
