import type { Message } from "../../core/relay/message.ts";
import type { Route } from "../store/routes.ts";
import { monthOf } from "../store/usage.ts";
import type { Asked } from "./judge.ts";
import { noRules } from "./ruleBook.ts";

/** What the relay knows besides the mail and its masks. */
export interface Knowledge {
  readonly maskDomain: string;
  /** The addresses that have been confirmed by a user (D33). */
  readonly confirmedOf: (userId: string) => Promise<readonly string[]>;
  /** The classifier's word for a mail, as far as its owner wants mail classified; null when it has none. */
  readonly categoryOf: (message: Message, route: Route) => Promise<string | null>;
}

const monthOfMask = ({ month, monthReceived }: Route, now: number): number =>
  month === monthOf(now) ? monthReceived : 0;

/** What a mask's rules may know (D31), before this mail is counted. */
export const askedOf = async (
  { maskDomain, confirmedOf, categoryOf }: Knowledge,
  route: Route,
  message: Message | null,
  now: number,
): Promise<Asked> => {
  const { userId, maskEmail, destination: forwardTo, lastMailAt, received, forwarded, rules } = route;
  const isAsked = rules !== noRules;
  return {
    userId,
    rules,
    mask: {
      maskEmail,
      forwardTo,
      lastMailAt,
      receivedThisMonth: monthOfMask(route, now),
      received,
      forwarded,
    },
    account: { confirmed: isAsked ? await confirmedOf(userId) : [], ownDomains: [maskDomain] },
    category: isAsked && message ? await categoryOf(message, route) : null,
  };
};
