import type { AccountFacts, MaskFacts } from "../../core/relay/facts.ts";
import type { Route } from "../store/routes.ts";
import type { MaskHistory } from "../store/statistics.ts";
import { monthOf } from "../store/usage.ts";
import type { Asked } from "./judge.ts";
import { noRules } from "./ruleBook.ts";

/** What the relay knows besides the mail and its masks. */
export interface Knowledge {
  readonly maskDomain: string;
  /** The addresses that have been confirmed by a user (D33). */
  readonly confirmedOf: (userId: string) => Promise<readonly string[]>;
  /** What a mask has seen before this mail, in the month named. */
  readonly historyOf: (maskId: string, month: string) => Promise<MaskHistory>;
}

const newMask: MaskHistory = { received: 0, forwarded: 0, receivedThisMonth: 0, lastMailAt: null };

/** What a mask's rules may know (D31), before this mail is counted; nothing is looked up for a mask without rules. */
export const askedOf = async (
  { maskDomain, confirmedOf, historyOf }: Knowledge,
  route: Route,
  category: string | null,
  now: number,
): Promise<Asked> => {
  const { userId, maskId, maskEmail, destination: forwardTo, rules } = route;
  const ownDomains = [maskDomain];
  const mask: MaskFacts = { maskEmail, forwardTo, ...newMask };
  const account: AccountFacts = { confirmed: [], ownDomains };
  if (rules === noRules) return { userId, rules, mask, account, category };
  const [confirmed, history] = await Promise.all([confirmedOf(userId), historyOf(maskId, monthOf(now))]);
  return { userId, rules, mask: { ...mask, ...history }, account: { confirmed, ownDomains }, category };
};
