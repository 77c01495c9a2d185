import type { AccountFacts, MaskFacts } from "../../core/relay/facts.ts";
import type { Message } from "../../core/relay/message.ts";
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
  /** The classifier's word for a mail, as far as its owner wants mail classified; null when it has none. */
  readonly categoryOf: (message: Message, route: Route) => Promise<string | null>;
}

const newMask: MaskHistory = { received: 0, forwarded: 0, receivedThisMonth: 0, lastMailAt: null };

/** What a mask's rules may know (D31), before this mail is counted; nothing is looked up for a mask without rules. */
export const askedOf = async (
  { maskDomain, confirmedOf, historyOf, categoryOf }: Knowledge,
  route: Route,
  message: Message | null,
  now: number,
): Promise<Asked> => {
  const { userId, maskId, maskEmail, destination: forwardTo, rules } = route;
  const ownDomains = [maskDomain];
  const mask: MaskFacts = { maskEmail, forwardTo, ...newMask };
  const account: AccountFacts = { confirmed: [], ownDomains };
  if (rules === noRules) return { userId, rules, mask, account, category: null };
  const [confirmed, history, category] = await Promise.all([
    confirmedOf(userId),
    historyOf(maskId, monthOf(now)),
    message && categoryOf(message, route),
  ]);
  return { userId, rules, mask: { ...mask, ...history }, account: { confirmed, ownDomains }, category };
};
