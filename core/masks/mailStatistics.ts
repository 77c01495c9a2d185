import type { MaskStatistics } from "./maskStatistics.ts";

/** The part of a mask's statistics that counts what rules did. */
export type RuleStatistics = Pick<
  MaskStatistics,
  "tags" | "actions" | "actionsSummary" | "rulesSummary" | "rules" | "blockHistory"
>;

/** A rule that was applied to a mail. */
interface CountedRule {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly actions: readonly string[];
}

/** The result of one mail, as the statistics of its mask count it. */
export interface CountedMail {
  /** Time of arrival, in ISO 8601. */
  readonly at: string;
  readonly applied: readonly CountedRule[];
  readonly tags: readonly string[];
  /** The reason for which the mail was blocked; null when it was not. */
  readonly block: BlockReason | null;
}

/** The reason for which a mail was blocked, in a few words for the owner and without any content of the mail. */
export interface BlockReason {
  readonly threatLevel: "low" | "medium" | "high";
  readonly reason: string;
}

/** The most rules (including deleted ones), tags and blocked mails that one mask's statistics list. */
const maxRules = 200;
const maxTags = 200;
const maxBlocks = 50;

type Counts = Readonly<Record<string, number>>;

const countOf = (counts: Counts, key: string): number =>
  Object.hasOwn(counts, key) ? (counts[key] ?? 0) : 0;

const increment = (counts: Counts, key: string): Counts => ({ ...counts, [key]: countOf(counts, key) + 1 });

const incrementAll = (counts: Counts, keys: readonly string[]): Counts => keys.reduce(increment, counts);

/** Counts tags; a tag that is not listed yet is counted only below the limit of tags. */
const countTags = (counts: Counts, tags: readonly string[]): Counts =>
  incrementAll(
    counts,
    tags.filter((tag) => Object.hasOwn(counts, tag) || Object.keys(counts).length < maxTags),
  );

type Rules = NonNullable<RuleStatistics["rules"]>;

/** Removes the rules that were applied longest ago when there are more than the limit. */
const limitRules = (rules: Rules): Rules => {
  const all = Object.entries(rules);
  if (all.length <= maxRules) return rules;
  const newest = all.toSorted(([, one], [, other]) =>
    (other.lastApplied ?? "") < (one.lastApplied ?? "") ? -1 : 1,
  );
  return Object.fromEntries(newest.slice(0, maxRules));
};

const countRule = (rules: Rules, { id, name, type }: CountedRule, at: string): Rules => ({
  ...rules,
  [id]: {
    name,
    type,
    appliedCount: (Object.hasOwn(rules, id) ? (rules[id]?.appliedCount ?? 0) : 0) + 1,
    lastApplied: at,
  },
});

/** Returns the statistics with one more mail. Lists stay within their limits; blocked mails are newest first. */
export const countMail = (statistics: RuleStatistics, mail: CountedMail): RuleStatistics => {
  const { applied, at, tags, block } = mail;
  const { actionsSummary, rulesSummary, blockHistory = [] } = statistics;
  const actions = applied.flatMap((rule) => rule.actions);
  return {
    tags: countTags(statistics.tags ?? {}, tags),
    actions: incrementAll(statistics.actions ?? {}, actions),
    actionsSummary: {
      totalActionsApplied: (actionsSummary?.totalActionsApplied ?? 0) + actions.length,
      lastActionApplied: actions.length > 0 ? at : (actionsSummary?.lastActionApplied ?? null),
    },
    rulesSummary: {
      totalRulesApplied: (rulesSummary?.totalRulesApplied ?? 0) + applied.length,
      rulesByType: incrementAll(
        rulesSummary?.rulesByType ?? {},
        applied.map(({ type }) => type),
      ),
      lastRuleApplied: applied.length > 0 ? at : (rulesSummary?.lastRuleApplied ?? null),
    },
    rules: limitRules(applied.reduce((rules, rule) => countRule(rules, rule, at), statistics.rules ?? {})),
    blockHistory:
      block === null ? blockHistory : [{ date: at, ...block }, ...blockHistory].slice(0, maxBlocks),
  };
};
