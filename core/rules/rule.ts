import * as t from "io-ts";
import { isStorable, requiredText, such } from "../contract/text.ts";
import { Action } from "./action.ts";
import { Condition, PartId } from "./condition.ts";
import { RuleType } from "./ruleType.ts";

export type RuleId = string;

/** How many conditions and actions a rule can have. */
export const mostConditions = 20;
export const mostActions = 10;

/** How many characters its name can have. */
export const longestRuleName = 100;

/** What its owner calls a rule. */
export const RuleName = such(
  such(requiredText("Rule name is required"), isStorable, "Please remove characters that cannot be stored"),
  (name) => name.length <= longestRuleName,
  `Rule name must be ${longestRuleName} characters or less`,
);

const unlessSaid = (otherwise: boolean): t.Type<boolean, boolean, unknown> =>
  new t.Type(
    "yes or no",
    t.boolean.is,
    (u, context) => t.boolean.validate(u ?? otherwise, context),
    (value) => value,
  );

const some = <A>(
  codec: t.Type<A, A, unknown>,
  what: string,
  most: number,
): t.Type<readonly A[], readonly A[], unknown> =>
  such(
    such(
      t.readonlyArray(codec, `${what}s`),
      (list) => list.length > 0,
      `At least one valid ${what} is required`,
    ),
    (list) => list.length <= most,
    `A rule can have at most ${most} ${what}s. Remove one, or make a second rule.`,
  );

const Moment = such(t.string, (text) => !Number.isNaN(Date.parse(text)), "Expected a date in ISO 8601");

const Remark = t.union([
  such(t.string, (text) => text.length <= 1_000, "Too long"),
  t.number,
  t.boolean,
  t.null,
]);

const Remarks = such(
  t.record(t.string, Remark),
  (remarks) => Object.keys(remarks).length <= 20,
  "At most 20 remarks can be kept with a rule",
);

/**
 * What is to happen to some of a mask's mail (RU3). `metadata.stop`: where this rule applies, none behind it is looked
 * at (D30). Dates are ISO 8601.
 */
export const Rule = t.exact(
  t.intersection(
    [
      t.type({
        id: such(PartId, (id) => id !== "", "A rule needs an id"),
        name: RuleName,
        type: RuleType,
        enabled: unlessSaid(true),
        conditions: some(Condition, "condition", mostConditions),
        actions: some(Action, "action", mostActions),
      }),
      t.partial({ maskId: t.string, metadata: Remarks, createdAt: Moment, updatedAt: Moment }),
    ],
    "rule",
  ),
);
export type Rule = Readonly<t.TypeOf<typeof Rule>>;

/** Whether no rule behind this one is looked at where it applies. */
export const stops = (rule: Rule): boolean => rule.metadata?.["stop"] === true;
