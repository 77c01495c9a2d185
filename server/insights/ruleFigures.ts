import type { InsightsAnswer } from "../../core/insights/insightsAnswer.ts";
import type { RuleStatistics } from "../../core/masks/mailStatistics.ts";
import { type Counted, type Oldest, topOf } from "../store/countReads.ts";
import type { Db } from "../store/database.ts";
import type { FullMask } from "../store/masks.ts";

const mostRules = 20;

/** What a mask calls the rules that it has, or once had. */
const ruleNames = (mask: FullMask): NonNullable<RuleStatistics["rules"]> =>
  (JSON.parse(mask.details) as RuleStatistics).rules ?? {};

/** The rules that applied most often, with when they last did. Those that no mask of `masks` has ever had are left out. */
export const rulesOf = async (
  db: Db,
  counted: Counted,
  oldest: Oldest,
  masks: readonly FullMask[],
): Promise<NonNullable<InsightsAnswer["rules"]>> => {
  const top = await topOf(db, counted, { kind: "rule", limit: mostRules, oldest });
  return top.flatMap(({ key, n, lastAt }) => {
    const [maskId = "", id = ""] = counted.maskId === null ? key.split(" ") : [counted.maskId, key];
    const mask = masks.find((one) => one.id === maskId);
    const names = mask && ruleNames(mask);
    const rule = names && Object.hasOwn(names, id) ? names[id] : undefined;
    return rule
      ? [
          {
            id,
            maskId,
            name: rule.name,
            type: rule.type,
            applied: n,
            lastApplied: new Date(lastAt).toISOString(),
          },
        ]
      : [];
  });
};
