import { dayOf } from "../../../core/kernel/calendarDay.ts";
import { monthOf } from "../../delivery/usageQueries.ts";
import type { MailOutcome } from "../../relay/decision/mailDecision.ts";
import type { Count, CountKind } from "./countQueries.ts";
import type { RecentMail } from "./recentMailQueries.ts";

/** The facts about one mail to a mask that the insights count; they contain nothing of the mail's content. */
export interface MailFacts {
  readonly userId: string;
  readonly maskId: string;
  /** The month or day of the owner's history. */
  readonly period: string;
  /** The events of the mail: "received", "forwarded", "held", "blocked", "archived", "answered", "spam", "cleaned". */
  readonly flow: readonly string[];
  readonly outcome: MailOutcome;
  /** The domain of From; empty if it has none. */
  readonly senderDomain: string;
  readonly category: string | null;
  readonly tags: readonly string[];
  readonly actions: readonly string[];
  /** The types and the ids of the rules that applied. */
  readonly types: readonly string[];
  readonly rules: readonly string[];
  /** The reason for which it was blocked. */
  readonly threatLevel: string | null;
  readonly reason: string | null;
  /** Results of the sender check ("spf=pass"). */
  readonly verdicts: readonly string[];
}

type Fact = readonly [CountKind, readonly string[]];

/** Only delivered mail counts senders, because blocked mail can invent any number of them. */
const countedSenders = ({ outcome, senderDomain }: MailFacts): readonly string[] =>
  outcome === "blocked" || senderDomain === "" ? [] : [senderDomain];

const historyFacts = (facts: MailFacts): readonly Fact[] => [
  ["flow", facts.flow],
  ["sender", countedSenders(facts)],
  ["category", facts.category === null ? [] : [facts.category]],
  ["tag", facts.tags],
  ["action", facts.actions],
  ["type", facts.types],
  ["block", facts.reason === null ? [] : [facts.reason]],
  ["verdict", facts.verdicts],
];

/** Returns the counts of `n` mails with the same facts, the last of which arrived at `at`. */
export const countsOf = (facts: MailFacts, n: number, at: number): readonly Count[] => {
  const { userId, maskId, period, flow, rules } = facts;
  const toCounts = (id: string | null, inPeriod: string, [kind, keys]: Fact): readonly Count[] =>
    keys.map((key) => ({ userId, maskId: id, kind, period: inPeriod, key, n, lastAt: at }));
  const shared = historyFacts(facts);
  return [
    ...[null, maskId].flatMap((id) => [
      ...shared.flatMap((fact) => toCounts(id, period, fact)),
      ...toCounts(id, dayOf(at), ["day", flow]),
      ...toCounts(id, monthOf(at), ["month", flow]),
    ]),
    ...toCounts(maskId, period, ["rule", rules]),
    // The keys of an account's rules also contain the mask.
    ...toCounts(null, period, ["rule", rules.map((id) => `${maskId} ${id}`)]),
  ];
};

export const recentMailOf = (facts: MailFacts, at: number): RecentMail => {
  const { userId, maskId, senderDomain, category, outcome, threatLevel, reason } = facts;
  return { userId, maskId, senderDomain, category, outcome, threatLevel, reason, at };
};
