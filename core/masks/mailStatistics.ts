import type { AppliedRule } from "../relay/decision.ts";
import type { MaskStatistics } from "./maskStatistics.ts";

/** What rules have done with a mask's mail, as far as B3's statistics say it. */
export type RuleStatistics = Pick<
  MaskStatistics,
  "tags" | "actions" | "actionsSummary" | "rulesSummary" | "rules" | "blockHistory"
>;

/** What became of one mail, as its mask's statistics count it. */
export interface CountedMail {
  /** When it came, in ISO 8601. */
  readonly at: string;
  /** The rules that were carried out. */
  readonly applied: readonly AppliedRule[];
  readonly tags: readonly string[];
  /** Why it was stopped; null when it was not. */
  readonly block: BlockReason | null;
}

/** Why a mail was stopped, in a few words for its owner and without anything of the mail. */
export interface BlockReason {
  readonly threatLevel: "low" | "medium" | "high";
  readonly reason: string;
}

/** How many rules (deleted ones are remembered too), tags and blocked mails a mask's statistics name. */
const mostRules = 200;
const mostTags = 200;
const mostBlocks = 50;

type Counts = Readonly<Record<string, number>>;

const countOf = (counts: Counts, key: string): number =>
  Object.hasOwn(counts, key) ? (counts[key] ?? 0) : 0;

const plusOne = (counts: Counts, key: string): Counts => ({ ...counts, [key]: countOf(counts, key) + 1 });

const plusAll = (counts: Counts, keys: readonly string[]): Counts => keys.reduce(plusOne, counts);

/** A further tag is counted only while there is room: what its owner uses most is there already. */
const plusTags = (counts: Counts, tags: readonly string[]): Counts =>
  plusAll(
    counts,
    tags.filter((tag) => Object.hasOwn(counts, tag) || Object.keys(counts).length < mostTags),
  );

type Rules = NonNullable<RuleStatistics["rules"]>;

/** Of too many the one that was carried out longest ago is forgotten. */
const withoutOldest = (rules: Rules): Rules => {
  const all = Object.entries(rules);
  if (all.length <= mostRules) return rules;
  const newest = all.toSorted(([, one], [, other]) =>
    (other.lastApplied ?? "") < (one.lastApplied ?? "") ? -1 : 1,
  );
  return Object.fromEntries(newest.slice(0, mostRules));
};

const plusRule = (rules: Rules, { id, name, type }: AppliedRule, at: string): Rules => ({
  ...rules,
  [id]: {
    name,
    type,
    appliedCount: (Object.hasOwn(rules, id) ? (rules[id]?.appliedCount ?? 0) : 0) + 1,
    lastApplied: at,
  },
});

/**
 * Statistics with one mail more (B3). What they name stays bounded, whatever rules do; counters go on. The blocked
 * mails stand with the newest first.
 */
export const withMail = (statistics: RuleStatistics, mail: CountedMail): RuleStatistics => {
  const { applied, at, tags, block } = mail;
  const { actionsSummary, rulesSummary, blockHistory = [] } = statistics;
  const actions = applied.flatMap((rule) => rule.actions);
  return {
    tags: plusTags(statistics.tags ?? {}, tags),
    actions: plusAll(statistics.actions ?? {}, actions),
    actionsSummary: {
      totalActionsApplied: (actionsSummary?.totalActionsApplied ?? 0) + actions.length,
      lastActionApplied: actions.length > 0 ? at : (actionsSummary?.lastActionApplied ?? null),
    },
    rulesSummary: {
      totalRulesApplied: (rulesSummary?.totalRulesApplied ?? 0) + applied.length,
      rulesByType: plusAll(
        rulesSummary?.rulesByType ?? {},
        applied.map(({ type }) => type),
      ),
      lastRuleApplied: applied.length > 0 ? at : (rulesSummary?.lastRuleApplied ?? null),
    },
    rules: withoutOldest(applied.reduce((rules, rule) => plusRule(rules, rule, at), statistics.rules ?? {})),
    blockHistory:
      block === null ? blockHistory : [{ date: at, ...block }, ...blockHistory].slice(0, mostBlocks),
  };
};
